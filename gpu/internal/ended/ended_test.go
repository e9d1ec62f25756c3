package ended

import (
	"context"
	"errors"
	"testing"
)

func TestCause(t *testing.T) {
	own, parents := errors.New("of the call"), errors.New("of the parent")
	for _, tc := range []struct {
		name       string
		outer, ctx error // causes of their ends, in this order
		want       error
	}{
		{"not ended", nil, nil, nil},
		{"call ended", nil, own, own},
		{"parent ended", parents, nil, context.Canceled},
		{"parent ended, then the call", parents, own, context.Canceled},
	} {
		outer, end := context.WithCancelCause(t.Context())
		ctx, cancel := context.WithCancelCause(outer)
		if tc.outer != nil {
			end(tc.outer)
		}
		if tc.ctx != nil {
			cancel(tc.ctx)
		}
		if err := Cause(outer, ctx); err != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
		cancel(own)
		end(parents)
		if err := Cause(outer, ctx); tc.ctx != nil && tc.outer == nil && err != own {
			t.Errorf("%s, then the parent: %v", tc.name, err)
		}
	}
}
