package sets

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// datasets/catalogue.tsv has the simulated sets under the seeds used here.
func TestCatalogue(t *testing.T) {
	text, err := os.ReadFile("../../../datasets/catalogue.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	columns := strings.Split(lines[0], "\t")
	var simulated []string
	for i, line := range lines {
		fields := strings.Split(line, "\t")
		if len(fields) != len(columns) {
			t.Fatalf("line %d has %d fields, want %d", i+1, len(fields), len(columns))
		}
		at := func(name string) string { return fields[slices.Index(columns, name)] }
		if at("kind") == "simulated" {
			simulated = append(simulated, at("length")+" "+at("error_rate")+" "+at("seed"))
		}
	}
	for _, s := range Paper() {
		if want := fmt.Sprintf("%d %g %d", s.Length, s.ErrorRate, s.Seed); !slices.Contains(simulated, want) {
			t.Errorf("the catalogue lacks %v, seed %d", s, s.Seed)
		}
	}
}
