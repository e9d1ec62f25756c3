package page

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wfagpu/cmd/wfagpu/internal/page/pagetest"
)

// element is an element on the way from the root of a page.
type element struct {
	name  string
	attrs map[string]string
}

// walk calls look with every element of a page, which must be well-formed XML, and what is
// in it up to its first child, and the names of the elements around it.
func walk(t *testing.T, text []byte, look func(e element, around []string)) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	var around []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			line, column := d.InputPos()
			t.Fatalf("line %d, column %d: %v", line, column, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{token.Name.Local, map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			look(e, around)
			around = append(around, e.name)
		case xml.EndElement:
			around = around[:len(around)-1]
		}
	}
	if len(around) > 0 {
		t.Errorf("the page ends in %v", around)
	}
}

// A page is well-formed, loads nothing, runs nothing, and names its parts for readers who
// do not see it.
func TestPages(t *testing.T) {
	for name, r := range samples() {
		t.Run(name, func(t *testing.T) {
			text, err := HTML(r)
			if err != nil {
				t.Fatal(err)
			}
			ids, labels := map[string]int{}, []string{}
			count := map[string]int{}
			walk(t, text, func(e element, around []string) {
				count[e.name]++
				switch e.name {
				case "script", "iframe", "img", "image", "object", "embed", "use", "form", "base", "foreignObject":
					t.Errorf("an element %s", e.name)
				}
				for attr, value := range e.attrs {
					switch {
					case attr == "xmlns":
					case strings.HasPrefix(attr, "on"), attr == "src", attr == "srcset", attr == "style":
						t.Errorf("attribute %s=%q of %s", attr, value, e.name)
					case attr == "href" && value != "data:,":
						t.Errorf("%s leads to %q", e.name, value)
					case strings.Contains(value, "://") || strings.Contains(value, "url("):
						t.Errorf("%s of %s is %q", attr, e.name, value)
					case strings.Contains(value, "ZgotmplZ"), strings.Contains(value, "NaN"), strings.Contains(value, "Inf"):
						t.Errorf("%s of %s is %q", attr, e.name, value)
					}
				}
				if id := e.attrs["id"]; id != "" {
					ids[id]++
				}
				labels = append(labels, strings.Fields(e.attrs["aria-labelledby"])...)
				if e.name == "svg" && e.attrs["aria-hidden"] == "" {
					count["chart"]++
					if e.attrs["role"] != "img" || len(strings.Fields(e.attrs["aria-labelledby"])) != 2 {
						t.Errorf("a chart without a title and a description: %v", e)
					}
				}
			})
			for _, label := range labels {
				if ids[label] != 1 {
					t.Errorf("%d elements are %q", ids[label], label)
				}
			}
			if count["h1"] != 1 || count["main"] != 1 || count["figure"] != count["chart"] || count["figure"] != count["details"] || count["chart"] == 0 {
				t.Errorf("elements %v", count)
			}
			_, css, _ := strings.Cut(string(text), "<style>")
			css, _, _ = strings.Cut(css, "</style>")
			if !strings.Contains(css, "prefers-color-scheme: dark") || strings.Contains(css, "url(") || strings.Contains(css, "@import") {
				t.Error("the style sheet lacks the dark colours, or loads something")
			}
			if len(text) > 200_000 {
				t.Errorf("%d bytes", len(text))
			}
		})
	}
}

// A text from outside stays a text, wherever it is.
func TestHostileText(t *testing.T) {
	text, err := HTML(samples()["broken"])
	if err != nil {
		t.Fatal(err)
	}
	p := pagetest.Parse(t, text)
	if p.Title != hostile || p.Command != hostile {
		t.Errorf("title %q, command %q", p.Title, p.Command)
	}
	if p.Figures["Limited by"] != hostile {
		t.Errorf("figures %q", p.Figures)
	}
	settings := p.Tables["Settings"]
	for _, row := range [][]string{{hostile, hostile}, {"Version", hostile}, {"Build", hostile}} {
		if !slices.ContainsFunc(settings, func(r []string) bool { return slices.Equal(r, row) }) {
			t.Errorf("settings %q lack %q", settings, row)
		}
	}
	if len(p.Alerts) != 1 || !strings.Contains(p.Alerts[0], "exit code 1: "+hostile) {
		t.Errorf("alerts %q", p.Alerts)
	}
}

// The tables of charts have all values, and their last running share is all of them.
func TestTables(t *testing.T) {
	for name, r := range samples() {
		text, err := HTML(r)
		if err != nil {
			t.Fatal(err)
		}
		p := pagetest.Parse(t, text)
		for title, want := range map[string]int64{
			"Identity of pairs": r.Tally.Difference.Count(), "Scores of pairs": r.Tally.Score.Count(),
			"Lengths of queries": r.Tally.Count(), "Lengths of targets": r.Tally.Count(),
			"Insertions: bases of the query alone": r.Tally.Insertions.Count(),
			"Deletions: bases of the target alone": r.Tally.Deletions.Count(),
		} {
			var sum int64
			for _, row := range p.Tables[title] {
				n, err := strconv.ParseInt(strings.ReplaceAll(row[1], ",", ""), 10, 64)
				if err != nil || n <= 0 {
					t.Errorf("%s, %s: a row %q", name, title, row)
				}
				sum += n
			}
			if sum != want {
				t.Errorf("%s, %s: %d values, want %d", name, title, sum, want)
			}
			if rows := p.Tables[title]; want > 0 && rows[len(rows)-1][3] != percent("100") {
				t.Errorf("%s, %s: the last row is %q", name, title, rows[len(rows)-1])
			}
		}
	}
}

// What is not known is said to be not known, and why.
func TestUnknown(t *testing.T) {
	for name, want := range map[string][]string{
		"scores": {"Identities are not known: with --score-only", "Gaps are not known: with --score-only", "cost more than 30; their scores are not known"},
		"empty":  {"Identities are not known: all alignments are empty.", "Gaps are not known: all alignments are empty."},
		"none":   {"No pair was written.", "The run ended with exit code 130: stopped by signal: interrupt. The figures below count the 0 pairs"},
		"equal":  {"No alignment has a gap."},
		"approx": {"upper bounds", "700 of 1,000 pairs have the optimal score, 70.0\u00a0%", "by 0.2500\u00a0%"},
	} {
		text, err := HTML(samples()[name])
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s: the page does not say %q", name, w)
			}
		}
	}
	var all []string
	for name, r := range samples() {
		if r.Recall == nil {
			text, err := HTML(r)
			if err != nil || strings.Contains(string(text), "Recall") {
				all = append(all, name)
			}
		}
	}
	if len(all) > 0 {
		t.Errorf("recall on the pages of %v", all)
	}
}
