package page

import (
	"bytes"
	"embed"
	"html/template"
)

//go:embed page.html.tmpl page.css
var files embed.FS

// page is the template. Package html/template escapes what it inserts as its place
// in the document demands.
var page = template.Must(template.ParseFS(files, "page.html.tmpl", "page.css"))

// HTML returns the page of a run.
func HTML(r *Run) ([]byte, error) {
	var b bytes.Buffer
	if err := page.Execute(&b, newDocument(r)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
