package peers

import (
	"os"
	"path/filepath"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/recall"
	"wfagpu/scripts/internal/sets"
)

// Every library that is installed aligns the same pairs in all its variants.
func TestDrivers(t *testing.T) {
	set := sets.Set{Options: simulate.Options{Length: 120, ErrorRate: 0.08, Seed: 11, Model: simulate.Bursts}, Count: 40}
	batch, err := set.Batch()
	if err != nil {
		t.Fatal(err)
	}
	file, err := set.File(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	engine, err := align.New(align.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.AlignBatch(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	for _, p := range Packaged() {
		t.Run(p.Name, func(t *testing.T) {
			d := driverOf(t, p)
			for _, v := range p.Variants {
				for _, distance := range []bool{false, true} {
					r := Run{Penalties: align.DefaultPenalties, Mode: v.Mode, DistanceOnly: distance, Threads: 2}
					checkDriver(t, d, v.Title, r, batch, file)
				}
			}
		})
	}
}

func checkDriver(t *testing.T, d *Driver, title string, r Run, batch *align.Batch, file string) {
	t.Helper()
	results, err := d.Results(t.Context(), file, r, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(batch.Pairs) {
		t.Fatalf("%s: %d results, want %d", title, len(results), len(batch.Pairs))
	}
	var tally recall.Tally
	rule := recall.Rule{Penalties: r.Penalties, Rescore: d.Peer.EditDistance}
	for i, got := range results {
		optimum := batch.Results[i].Score
		if r.DistanceOnly {
			if d.Peer.EditDistance {
				continue
			}
			err = tally.AddScore(optimum, got.Score)
		} else {
			err = tally.AddText(rule, batch.Pairs[i], optimum, got.Score, got.CIGAR)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if tally.Invalid > 0 || !d.Peer.EditDistance && tally.Optimal != tally.Checked {
		t.Errorf("%s, distance only %v: %+v", title, r.DistanceOnly, tally)
	}
	// A machine with much other work may finish no pair in a short time.
	for given := 0.01; ; given *= 10 {
		pairs, seconds, err := d.Rate(t.Context(), file, r, given)
		if err != nil || seconds <= 0 || pairs == 0 && given > 5 {
			t.Errorf("%s: %d pairs in %g s, %v", title, pairs, seconds, err)
		}
		if err != nil || pairs > 0 || given > 5 {
			break
		}
	}
}

func TestReadResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("24\t3=1X\n-7\t4M\n0\n")
	got, err := ReadResults(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []Result{{24, "3=1X"}, {7, "4M"}, {0, ""}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
	write("24\t3=\nnot a score\n")
	if _, err := ReadResults(file); err == nil {
		t.Error("a line without a score is accepted")
	}
}
