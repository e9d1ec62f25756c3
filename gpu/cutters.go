package gpu

import (
	"runtime"
	"sync"
	"sync/atomic"

	"wfagpu/align"
)

// cutters cut pairs of the approximate mode into pieces. They are safe for concurrent use.
type cutters struct {
	penalties align.Penalties
	idle      sync.Pool // of *align.Cutter
}

// cutting is a pair that may be cut into pieces, and the pieces if ok.
type cutting struct {
	index  int32 // of the pair in its batch
	at     int   // its first word among those of its load, before its first pass
	most   int   // letters of a middle; see align.Cutter
	pieces align.Pieces
	ok     bool
	// rival tells what the pair's result has: that of its adaptive band, which the pieces have
	// to be better than.
	rival rival
}

// rival is an alignment in an adaptive band.
type rival struct {
	cost   int    // reduced
	family string // as in Stats.Kernels, "" if there is no alignment
	second bool   // the pair counts in Stats.SecondPass
}

// cut cuts pairs of a batch, in several goroutines: it takes some time to find where.
func (c *cutters) cut(pairs []align.Pair, list []cutting) {
	inParallel(len(list), func(i int) {
		cutter, _ := c.idle.Get().(*align.Cutter)
		if cutter == nil {
			cutter = align.NewCutter(c.penalties)
		}
		defer c.idle.Put(cutter)
		t := &list[i]
		p := &pairs[t.index]
		t.pieces, t.ok = cutter.Cut(p.Pattern, p.Text, t.most)
	})
}

// inParallel calls do for 0..n-1, on all processors, and returns when all calls have.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}
