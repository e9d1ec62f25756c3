package seqio

import (
	"os"
	"path/filepath"
	"testing"
)

// dataDir returns where the real read sets are, or skips the test.
func dataDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("WFAGPU_DATA")
	if dir == "" {
		dir = "../../shared/data"
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no real read sets: set WFAGPU_DATA (%v)", err)
	}
	return dir
}

// TestRealReads: the sets that exist as .seq and as FASTQ with FASTA hold the
// same pairs.
func TestRealReads(t *testing.T) {
	dir := dataDir(t)
	sets, err := filepath.Glob(filepath.Join(dir, "*.reads.fastq.gz"))
	if err != nil || len(sets) == 0 {
		t.Skipf("no *.reads.fastq.gz in %s (%v)", dir, err)
	}
	for _, reads := range sets {
		base := reads[:len(reads)-len(".reads.fastq.gz")]
		t.Run(filepath.Base(base), func(t *testing.T) {
			want, err := readAll(t, Inputs{Pairs: []string{base + ".seq.gz"}}, nil, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := readAll(t, Inputs{Query: []string{reads}, Target: []string{base + ".targets.fasta.gz"}}, nil, Limits{Bases: 100000})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(want) || len(got) == 0 {
				t.Fatalf("%d and %d pairs", len(got), len(want))
			}
			for i := range got {
				if got[i].qName == "" || got[i].qName != got[i].tName {
					t.Fatalf("pair %d is named %q and %q", i+1, got[i].qName, got[i].tName)
				}
				if got[i].query != want[i].query || got[i].target != want[i].target {
					t.Fatalf("pair %d differs", i+1)
				}
			}
		})
	}
}
