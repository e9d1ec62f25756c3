package published

import "testing"

func TestTable1(t *testing.T) {
	entries, err := Table1()
	if err != nil {
		t.Fatal(err)
	}
	if want := 15 * 5; len(entries) != want {
		t.Fatalf("%d entries, want %d", len(entries), want)
	}
	finished := 0
	for _, e := range entries {
		if e.Rate() > 0 {
			finished++
		}
	}
	// What did not: three GPU tools on three sets, SeqAn and Parasail on
	// three, KSW2 on one.
	if want := 75 - 9 - 12 - 1; finished != want {
		t.Errorf("%d entries with a rate, want %d", finished, want)
	}
	if e := entries[4*5]; e.Tool != "WFA-GPU" || e.Set != "Illumina 150" || e.Rate() != 100e6/13 {
		t.Errorf("entry 20 is %+v", e)
	}
}
