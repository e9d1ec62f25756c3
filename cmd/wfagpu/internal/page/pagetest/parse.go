// Package pagetest reads the pages of package page back, for tests.
package pagetest

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
)

// Page is what a page says.
type Page struct {
	Title, Command string
	Alerts         []string
	Figures        map[string]string     // by name
	Tables         map[string][][]string // rows without the head, by caption
	Charts         []string              // titles
}

type node struct {
	XMLName xml.Name
	Class   string `xml:"class,attr"`
	Text    string `xml:",chardata"`
	Nodes   []node `xml:",any"`
}

// text is that of the node and of all nodes in it.
func (n *node) text() string {
	text := n.Text
	for i := range n.Nodes {
		text += n.Nodes[i].text()
	}
	return text
}

// each calls look with the nodes of a name, in order.
func (n *node) each(name string, look func(*node)) {
	for i := range n.Nodes {
		child := &n.Nodes[i]
		if child.XMLName.Local == name {
			look(child)
		}
		child.each(name, look)
	}
}

// Parse reads a page.
func Parse(t *testing.T, text []byte) *Page {
	t.Helper()
	var root node
	if err := xml.NewDecoder(bytes.NewReader(text)).Decode(&root); err != nil {
		t.Fatal(err)
	}
	p := &Page{Figures: map[string]string{}, Tables: map[string][][]string{}}
	root.each("h1", func(n *node) { p.Title = n.text() })
	root.each("code", func(n *node) { p.Command = n.text() })
	root.each("p", func(n *node) {
		if n.Class == "alert" {
			p.Alerts = append(p.Alerts, n.text())
		}
	})
	root.each("dl", func(dl *node) {
		dl.each("div", func(n *node) { p.Figures[n.Nodes[0].text()] = n.Nodes[1].text() })
	})
	root.each("figure", func(figure *node) {
		figure.each("svg", func(svg *node) {
			if len(svg.Nodes) > 0 && svg.Nodes[0].XMLName.Local == "title" {
				p.Charts = append(p.Charts, svg.Nodes[0].text())
			}
		})
	})
	root.each("table", func(table *node) {
		var caption string
		table.each("caption", func(n *node) { caption = n.text() })
		rows := [][]string{}
		table.each("tbody", func(body *node) {
			body.each("tr", func(tr *node) {
				var row []string
				for i := range tr.Nodes {
					row = append(row, strings.TrimSpace(tr.Nodes[i].text()))
				}
				rows = append(rows, row)
			})
		})
		if _, twice := p.Tables[caption]; twice {
			t.Errorf("two tables %q", caption)
		}
		p.Tables[caption] = rows
	})
	return p
}
