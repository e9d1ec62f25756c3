package emu_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

func TestPack(t *testing.T) {
	k := emu.ForTest(t)
	r := rand.New(rand.NewPCG(4, 0))
	var pairs []pair
	for n := 1; n < 70; n++ {
		pairs = append(pairs, pair{letters(r, "ACGTUacgtu", n), letters(r, "ACGTUacgtu", 1+r.IntN(200))})
		s := letters(r, "ACGT", n)
		at := r.IntN(n)
		odd := s[:at] + letters(r, "NnRB-\x00\x80\xc1ED@`XVWS4", 1) + s[at+1:]
		pairs = append(pairs, pair{s, odd}, pair{odd, s})
	}
	d := upload(t, k, align.DefaultPenalties, pairs)
	at := 0
	for i, p := range pairs {
		strange := false
		for _, s := range []string{p.pattern, p.text} {
			for j := range len(s) {
				code := strings.IndexByte("ACTG", strings.ToUpper(strings.ReplaceAll(strings.ToUpper(s[j:j+1]), "U", "T"))[0])
				if code < 0 {
					strange = true
				} else if got := d.bases[at+j/16] >> (30 - 2*(j%16)) & 3; int(got) != code {
					t.Fatalf("letter %d of %q is %d, want %d", j, s, got, code)
				}
			}
			at += (len(s) + 15) / 16
		}
		want := resultEntry{Score: -1}
		if strange {
			want.Flags = abi.FlagLetters
		}
		if d.results[i] != want {
			t.Fatalf("result %+v, want %+v, of %q and %q", d.results[i], want, p.pattern, p.text)
		}
	}
}
