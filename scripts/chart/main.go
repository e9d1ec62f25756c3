// Command chart draws the figures of the benchmarks: bars in groups and heat
// maps. It is a module of its own, so that the plotting library, with its fonts
// and file formats, is no dependency of wfagpu.
//
//	chart FIGURE.json OUT.svg [OUT.png ...]
//
// FIGURE.json is an object with one member, "bars" or "heat_map"; types Bars
// and HeatMap list the fields. The suffix of an output file selects its format.
// The command `go run ./scripts/bench` writes the figures and runs chart.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: chart FIGURE.json OUT.svg [OUT.png ...]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

// figure is the content of FIGURE.json. Exactly one member is set.
type figure struct {
	Bars    *Bars    `json:"bars"`
	HeatMap *HeatMap `json:"heat_map"`
}

// run draws the figure of a file into others.
func run(file string, outputs []string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	var fig figure
	decoder := json.NewDecoder(f)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&fig); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	switch {
	case fig.Bars != nil && fig.HeatMap == nil:
		err = fig.Bars.Save(outputs...)
	case fig.HeatMap != nil && fig.Bars == nil:
		err = fig.HeatMap.Save(outputs...)
	default:
		err = errors.New(`want one of "bars" and "heat_map"`)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
