package kernel

import (
	"fmt"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// rowTracer is the traceback from all M rows, for short pairs: cuda/trace.cuh.
type rowTracer struct {
	penalties   align.Penalties
	short, long *driver.Function // for texts up to longText letters, and for longer ones
	threads     int              // threads per pair of short
}

// longText is the text length above which the traceback has 32 threads per pair: a
// launch has few long pairs.
const longText = 4096

func loadRowTracer(l *loader, s *shape) (tracer, error) {
	// A launch has many short pairs; one thread traces each.
	t := &rowTracer{penalties: l.Penalties, threads: 1}
	if s.pairThreads == 32 {
		t.threads = 8
	}
	name := "wfa_trace_"
	if s.free {
		name = "wfa_trace_free_"
	}
	var err error
	if t.short, err = l.function(fmt.Sprint(name, t.threads)); err != nil {
		return nil, err
	}
	t.long, err = l.function(name + "32")
	return t, err
}

func (t *rowTracer) words(s *shape, bound int) int {
	return (bound + Unroll(t.penalties) + 1) * s.rowWords()
}

func (t *rowTracer) maxBound(s *shape, words int) int {
	return words/s.rowWords() - Unroll(t.penalties) - 1
}

func (t *rowTracer) launch(s *driver.Stream, a *abi.Params, g Group) error {
	if g.Text > longText {
		return traceback(s, t.long, 32, a)
	}
	return traceback(s, t.short, t.threads, a)
}
