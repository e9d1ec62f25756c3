// Package page draws the page of --report: what a run has found and where its time
// went, as one HTML file with charts in SVG. It loads nothing and runs no script, and
// it is well-formed XML, too.
//
// A chart has coordinates in percent across and in pixels down, so that bars stretch
// with the window and text does not. Colours come from the style sheet, in a light and a
// dark set.
package page
