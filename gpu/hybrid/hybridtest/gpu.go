package hybridtest

import (
	"context"
	"maps"
	"strings"
	"sync"

	"wfagpu/align"
	"wfagpu/gpu"
)

// GPU is a fake hybrid.GPU. Like a real one, it counts pairs and does not align
// pairs with letters outside ACGTU.
type GPU struct {
	Name   string
	Free   uint64 // bytes of memory
	NoRoom bool   // no memory for any pair of the approximate mode
	// Spoil, if not nil, changes the results of a batch.
	Spoil   func(g *GPU, b *align.Batch)
	OpenErr error           // returned by Machine.Open
	FailAt  map[int64]error // by the ordinal of a batch's first pair
	StuckAt map[int64]bool  // batches that never end, likewise
	OnClose func()          // called by Close, if not nil
	OnStats func()          // called by Stats, likewise; a team looks at GPUs that have joined
	// CloseErr is what Close returns.
	CloseErr error

	Options gpu.Options // as opened
	Counts  gpu.Stats   // what Stats returns
	Closed  int         // calls of Close
	Second  *GPU        // the engine of a second Open

	engine *align.Engine
	mu     sync.Mutex // guards Counts
}

func (g *GPU) open(o gpu.Options) error {
	var err error
	g.Options = o
	g.engine, err = align.New(align.Options{Penalties: o.Penalties, Match: o.Match, LongGap: o.LongGap, Span: o.Span, Free: o.Free, ScoreOnly: o.ScoreOnly, Approx: o.Approx, Threads: 1})
	return err
}

// Opened reports whether the GPU has been opened.
func (g *GPU) Opened() bool { return g.engine != nil }

// Device returns the GPU's ordinal and name.
func (g *GPU) Device() gpu.DeviceInfo {
	return gpu.DeviceInfo{Ordinal: g.Options.Device, Name: g.Name}
}

// Stats returns a copy of g.Counts.
func (g *GPU) Stats() gpu.Stats {
	if g.OnStats != nil {
		g.OnStats()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.Counts
	s.Kernels = maps.Clone(s.Kernels)
	return s
}

// Close counts its calls and returns g.CloseErr.
func (g *GPU) Close() error {
	g.Closed++
	if g.OnClose != nil {
		g.OnClose()
	}
	return g.CloseErr
}

// aligned counts a pair of a kernel family.
func (g *GPU) aligned(family string) {
	if g.Counts.Kernels == nil {
		g.Counts.Kernels = map[string]int64{}
	}
	g.Counts.Kernels[family]++
}

// AlignBatchFunc aligns the batch on the CPU.
func (g *GPU) AlignBatchFunc(ctx context.Context, b *align.Batch, fallback func(pairs []int32)) error {
	if err := g.FailAt[b.First]; err != nil {
		return err
	}
	if g.StuckAt[b.First] {
		b.PrepareResults()
		<-ctx.Done()
		return ctx.Err()
	}
	if err := g.engine.AlignBatch(ctx, b); err != nil {
		return err
	}
	rest := g.count(b)
	if g.Spoil != nil {
		g.Spoil(g, b)
	}
	if len(rest) > 0 {
		fallback(rest)
	}
	return nil
}

// count counts the pairs of a batch. It returns the pairs for the fallback and
// replaces their results by the cause.
func (g *GPU) count(b *align.Batch) (rest []int32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, p := range b.Pairs {
		banded := false
		if a := g.Options.Approx; a != nil {
			_, banded = a.For(g.Options.Penalties).First(len(p.Pattern), len(p.Text))
		}
		var cause error
		switch {
		case strings.Trim(string(p.Pattern)+string(p.Text), "ACGTUacgtu") != "":
			cause = gpu.FallbackLetters
			g.Counts.Fallback.Letters++
		case banded && g.NoRoom:
			cause = gpu.FallbackMemory
			g.Counts.Fallback.Memory++
		case banded:
			g.aligned("approx")
		default:
			g.aligned("warp")
		}
		if cause != nil {
			b.Results[i] = align.Result{CIGAR: b.Results[i].CIGAR[:0], Err: cause}
			rest = append(rest, int32(i))
		}
	}
	return rest
}
