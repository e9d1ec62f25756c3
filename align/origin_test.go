package align

import "testing"

func TestOriginPlace(t *testing.T) {
	// A query of 20 letters, of which 4..14 are aligned with 100..110 of a target.
	p := &Pair{Pattern: make([]byte, 10), Text: make([]byte, 10)}
	o := Origin{QueryLength: 20, QueryStart: 4, TargetLength: 500, TargetStart: 100}
	covered := Place{PatternBegin: 1, PatternEnd: 7, TextBegin: 2, TextEnd: 8}
	if got, want := o.Place(p, covered), (Place{5, 11, 102, 108}); got != want {
		t.Errorf("forward: %+v, want %+v", got, want)
	}
	if got := o.Lead(p); got != 4 {
		t.Errorf("forward: %d letters before the pattern, want 4", got)
	}
	o.Reverse = true
	if got, want := o.Place(p, covered), (Place{7, 13, 102, 108}); got != want {
		t.Errorf("reverse: %+v, want %+v", got, want)
	}
	if got := o.Lead(p); got != 6 {
		t.Errorf("reverse: %d letters before the pattern, want 6", got)
	}
	whole := WholeOrigin(p)
	if got := whole.Place(p, p.Whole()); got != p.Whole() {
		t.Errorf("whole: %+v, want %+v", got, p.Whole())
	}
}
