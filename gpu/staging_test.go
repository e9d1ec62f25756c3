package gpu

import (
	"context"
	"testing"

	"wfagpu/align"
)

// Calls for which others wait have stagers of their own: batches that hold all others do not keep them waiting.
func TestInnerStagers(t *testing.T) {
	e := openEmulated(t, Options{Penalties: align.DefaultPenalties})
	outer := testCall(&align.Batch{})
	outer.ctx, outer.cancel = context.WithCancelCause(t.Context())
	defer outer.cancel(nil)
	for range maxStagers {
		_, give, err := e.staging.take(outer)
		if err != nil {
			t.Fatal(err)
		}
		defer give()
	}
	inner := outer.inner(&align.Batch{})
	inner.expected = []int{1}
	for range maxInner {
		_, give, err := e.staging.take(inner)
		if err != nil {
			t.Fatal(err)
		}
		defer give()
	}
	if len(e.staging.idle) != 0 || len(e.staging.inner) != 0 {
		t.Errorf("%d and %d stagers are idle", len(e.staging.idle), len(e.staging.inner))
	}
	outer.cancel(context.Canceled)
	for _, c := range []*call{outer, inner} {
		if _, _, err := e.staging.take(c); err != context.Canceled {
			t.Errorf("%v", err)
		}
	}
}
