package main

import (
	"fmt"
	"strings"
	"testing"

	"wfagpu/align"
)

// The README names the automatic band and lambda as they are.
func TestReadmeNamesTheAutomaticBand(t *testing.T) {
	readme := strings.Join(strings.Fields(readFile(t, "../../README.md")), " ")
	short, _ := align.Approx{}.First(512, 512)
	long, _ := align.Approx{}.First(2048, 2048)
	if w, _ := (align.Approx{}).First(2047, 2047); w != short {
		t.Errorf("pairs of 2,047 bases begin with %+v", w)
	}
	var wider []any
	for w, ok := (align.Approx{}).Wider(long); ok; w, ok = (align.Approx{}).Wider(w) {
		wider = append(wider, w.Band)
	}
	if _, ok := (align.Approx{}).First(511, 511); ok {
		t.Error("pairs of 511 bases are not aligned exactly")
	}
	for _, want := range []string{
		"pairs below 512 bases are aligned exactly",
		fmt.Sprintf("begin with %d diagonals, or with %d from 2,048 bases on", short.Band, long.Band),
		fmt.Sprintf("begins again with %d diagonals, then with %d, and is then aligned exactly", wider...),
		fmt.Sprintf("the band may move every %d scores", long.Lambda),
	} {
		if !strings.Contains(readme, want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}
