package kernel

import (
	"fmt"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// Checkpoints, cuda/checkpoint.cuh: what kernels of long pairs store for the traceback.

// Diagonals of a window of the traceback, cuda/window.cuh: for checkpoints of 16-bit
// cells, and for those of the tiles family.
const (
	packedWindow = 32
	tilesWindow  = 64
)

// span returns the scores between two checkpoints for a window; spanOf of
// cuda/checkpoint.cuh.
func span(p align.Penalties, window int) int {
	unroll := Unroll(p)
	return (window/2 - 1) / unroll * unroll
}

// checkpointRows returns the number of rows of a checkpoint.
func checkpointRows(p align.Penalties) int { return max(p.Mismatch, p.GapOpen) + 2*p.GapExtend }

// retracer is the traceback from checkpoints, cuda/retrace.cuh: eight threads for each
// pair, with a window in shared memory.
type retracer struct {
	kernel *driver.Function
	bytes  int // of a window
}

// loadRetracer loads the kernel for a window, named wfa_retrace with a suffix and the
// penalties.
func loadRetracer(l *loader, suffix string, window int) (*retracer, error) {
	p := l.Penalties
	name := fmt.Sprintf("wfa_retrace%s_%d_%d_%d", suffix, p.Mismatch, p.GapOpen, p.GapExtend)
	f, _, err := l.large(name)
	return &retracer{f, 4 * window * (max(p.Mismatch, p.GapOpen) + span(p, window))}, err
}

func (r *retracer) launch(s *driver.Stream, a *abi.Params) error {
	const threads, pairs = 64, 64 / 8
	return launch(s, r.kernel, (int(a.Count)+pairs-1)/pairs, threads, pairs*r.bytes, a)
}

// checkpointTracer is the traceback of the block and long families.
type checkpointTracer struct {
	penalties align.Penalties
	retrace   *retracer
}

func loadCheckpointTracer(l *loader, suffix string) (tracer, error) {
	r, err := loadRetracer(l, suffix, packedWindow)
	return &checkpointTracer{l.Penalties, r}, err
}

// checkpoint returns the words of a checkpoint.
func (t *checkpointTracer) checkpoint(s *shape) int {
	words := checkpointRows(t.penalties) * s.rowWords()
	if s.origins {
		words += s.words
	}
	return words
}

func (t *checkpointTracer) words(s *shape, bound int) int {
	return bound / span(t.penalties, packedWindow) * t.checkpoint(s)
}

func (t *checkpointTracer) maxBound(s *shape, words int) int {
	checkpoints := words / t.checkpoint(s)
	return (checkpoints+1)*span(t.penalties, packedWindow) - 1
}

func (t *checkpointTracer) launch(s *driver.Stream, a *abi.Params, _ Group) error {
	return t.retrace.launch(s, a)
}
