package align_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
)

// The read and the text have two alignments of equal cost. The one to be reported begins, at no cost, on
// the first diagonal behind the band.
func TestLaneBeginBehindBand(t *testing.T) {
	a, in, b := "GATTCA", "CCGTAGA", "TGGACTTACGCATCCGTTAAGCTAGGATACCATTCGAGGCATCTAACG"
	for _, p := range []align.Penalties{{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 4, GapOpen: 6, GapExtend: 4}} {
		o := align.Options{Penalties: p, Span: align.EndsFree}
		o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
		checkLaneBands(t, o, []align.LanePair{{Pattern: []byte(a + in + b), Text: []byte(a + in + "A" + a + b), First: -10, Last: 13}})
	}
}

// One of two alignments of equal cost begins on the diagonal before the band, has a mismatch, and comes
// into the band by a gap of one letter. It is to be reported, as the other one has a longer gap.
func TestLaneTieBeforeBand(t *testing.T) {
	o := align.Options{Penalties: align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, Span: align.EndsFree}
	o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	b, flank := "TTGACTTACGCATCCGTTAAGCTAGGATACCATTCGAGGCATCTAACGTCAG", "CCCCCCTTTTTTCC"
	checkLaneBands(t, o, []align.LanePair{{
		Pattern: []byte("GACAGACA" + b), Text: []byte(flank + "GTCA" + "GACA" + "G" + b), First: len(flank) + 1, Last: len(flank) + 12,
	}})
}

// The text has the read as it is on the diagonal before the band or on the one behind it, up to the text's
// end, and with a mismatch in the band.
func TestLaneCopyBesideBand(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	o := align.Options{Penalties: align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, Span: align.EndsFree}
	o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	read := letters(r, "ACGT", 60)
	worse := slices.Clone(read)
	worse[27] = "CGTA"[strings.IndexByte("ACGT", read[27])]
	var pairs []align.LanePair
	for _, chain := range []bool{false, true} {
		pairs = append(pairs,
			align.LanePair{Pattern: read, Text: slices.Concat([]byte("C"), read, worse), First: 2, Last: 65, Chain: chain},
			align.LanePair{Pattern: read, Text: slices.Concat([]byte("C"), worse, read), First: -3, Last: 60, Chain: chain},
		)
	}
	checkLaneBands(t, o, pairs)
}

// The best alignment leads out of the band to where no chain of seeds comes at no cost: those that the text
// has further away, which are not near each other, are before it.
func TestLaneChainJump(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	o := align.Options{Penalties: align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, Match: 1, Span: align.EndsFree}
	o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	var pairs []align.LanePair
	for range 40 {
		p, q := letters(r, "ACGT", 60), letters(r, "ACGT", 11)
		worse, read := slices.Clone(q), slices.Concat(p, q)
		for _, i := range []int{0, 3, 5, 7, 10} {
			worse[i] = "CGTA"[strings.IndexByte("ACGT", q[i])]
		}
		text := slices.Concat(p, worse, q, letters(r, "ACGT", 20))
		for at := 40; at < 65; at += 5 {
			text = slices.Concat(text, read[at:at+5], letters(r, "ACGT", 1+at/5%2))
		}
		pairs = append(pairs, align.LanePair{Pattern: read, Text: slices.Concat(text, letters(r, "ACGT", 20)), First: -12, Last: 10, Chain: true})
	}
	checkLaneBands(t, o, pairs)
}

// Lanes are sure of results alone that the plain matrix has, whatever the band is.
func TestLaneBands(t *testing.T) {
	sure, all := 0, 0
	for i := range uint64(60) {
		s, n := checkRandomBands(t, i, 64)
		sure, all = sure+s, all+n
	}
	if slices.Contains(align.Levels(), "avx2") && 8*sure < all {
		t.Errorf("lanes are sure of %d of %d results", sure, all)
	}
}

// FuzzLaneBands is TestLaneBands with other pairs.
func FuzzLaneBands(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed uint64) { checkRandomBands(t, seed, 64) })
}

func checkRandomBands(t *testing.T, seed uint64, n int) (sure, all int) {
	r := rand.New(rand.NewPCG(seed, 71))
	o, m := laneModel(r), newLaneMaker(r)
	pairs := make([]align.LanePair, n)
	for i := range pairs {
		pairs[i] = m.band()
	}
	return checkLaneBands(t, o, pairs), 2 * n
}

// checkLaneBands holds what lanes of either size are sure of to the plain matrix, and returns how many results
// that are.
func checkLaneBands(t *testing.T, o align.Options, pairs []align.LanePair) (count int) {
	t.Helper()
	want := byMatrix(t, o)
	for _, words := range []bool{false, true} {
		for i := range pairs {
			pairs[i].Words = words
		}
		got, sure, err := align.AlignInLanes(o, pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range sure {
			p := &pairs[i]
			if !sure[i] {
				continue
			}
			count++
			if g, w := got[i], want(p.Pattern, p.Text); g.Score != w.Score || g.Place != w.Place || !slices.Equal(g.CIGAR, w.CIGAR) {
				t.Fatalf("%+v, pair %d, diagonals %d to %d, reach %d, chain %v, words %v: score %d, place %+v, CIGAR %v, want %d, %+v, %v\n%q\n%q", o, i, p.First, p.Last, p.Reach,
					p.Chain, p.Words, g.Score, g.Place, g.CIGAR, w.Score, w.Place, w.CIGAR, p.Pattern, p.Text)
			}
		}
	}
	return count
}
