package kernel

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// checkpointTracer is the traceback from checkpoints, for long pairs: cuda/retrace.cuh.
type checkpointTracer struct {
	penalties align.Penalties
	kernel    *driver.Function
}

func loadCheckpointTracer(l *loader, name string) (tracer, error) {
	f, _, err := l.large(name)
	return &checkpointTracer{l.Penalties, f}, err
}

// span returns the scores between two checkpoints; spanOf of cuda/checkpoint.cuh.
func span(p align.Penalties) int {
	unroll := Unroll(p)
	return 30 / unroll * unroll
}

// checkpointRows returns the number of rows of a checkpoint.
func checkpointRows(p align.Penalties) int { return max(p.Mismatch, p.GapOpen) + 2*p.GapExtend }

func (t *checkpointTracer) words(s *shape, bound int) int {
	return bound / span(t.penalties) * checkpointRows(t.penalties) * s.rowWords()
}

func (t *checkpointTracer) maxBound(s *shape, words int) int {
	checkpoints := words / (checkpointRows(t.penalties) * s.rowWords())
	return (checkpoints+1)*span(t.penalties) - 1
}

func (t *checkpointTracer) launch(s *driver.Stream, a *abi.Params, g Group) error {
	return retrace(s, t.kernel, t.penalties, a)
}

// retrace queues a kernel that traces back from checkpoints: a warp for each pair, with
// a window in shared memory.
func retrace(s *driver.Stream, f *driver.Function, p align.Penalties, a *abi.Params) error {
	const diagonals, warps = 64, tracebackThreads / 32
	window := 4 * diagonals * (checkpointRows(p) + span(p))
	a.Span = int32(span(p))
	return launch(s, f, (int(a.Count)+warps-1)/warps, tracebackThreads, warps*window, a)
}
