package whole

import (
	"context"
	"math"
	"os"
)

// costing repeats a block until it costs the CPU engine, with all of its threads,
// about some seconds, by the time of a short run; in no more than the largest size of
// an input.
func (m *maker) costing(ctx context.Context, b *block, seconds float64) (input, error) {
	n := len(b.records)
	most := max(1, int(m.Bytes/b.bytes))
	repeats := func(each, seconds float64) int {
		return max(1, min(most, int(math.Ceil(seconds/math.Max(each, 1e-6)))))
	}
	each := b.cpu / m.threads()
	// A few seconds, so that the start and the last pairs do not count.
	trial := repeats(each, min(3, seconds/4))
	if trial > 1 {
		in := repeat(b, trial*n)
		file, out := m.path("trial.seq"), m.path("trial.tsv")
		defer os.Remove(file)
		defer os.Remove(out)
		if err := in.write(file); err != nil {
			return in, err
		}
		r, err := m.align(ctx, file, out, onDevice("cpu", m.CPUFlags...)...)
		if err != nil {
			return in, err
		}
		each = r.seconds / float64(trial)
	}
	in := repeat(b, repeats(each, seconds)*n)
	m.Printf("  %s: %d pairs, %.3g times the set, %.2f GB, about %.0f s of the CPU engine\n", b.name,
		in.pairs, float64(in.pairs)/float64(n), float64(in.bytes())/1e9, each*float64(in.pairs)/float64(n))
	return in, nil
}

// costingFile writes a real set, repeated as costing does, and returns the file's path too.
func (m *maker) costingFile(ctx context.Context, set string, seconds float64) (in input, file string, err error) {
	b, err := m.readBlock(ctx, set)
	if err != nil {
		return in, "", err
	}
	if in, err = m.costing(ctx, b, seconds); err != nil {
		return in, "", err
	}
	file, err = m.file("in.seq", in)
	return in, file, err
}

// file writes an input under a name and returns the path.
func (m *maker) file(name string, in input) (string, error) {
	path := m.path(name)
	return path, in.write(path)
}
