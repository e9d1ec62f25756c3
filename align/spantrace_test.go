package align

import (
	"sync/atomic"
	"testing"
)

// stoppingCells are interrupted when they are first asked, and then have no cell of any cost.
type stoppingCells struct {
	stop  atomic.Bool
	asked int
}

func (c *stoppingCells) costs(i, j, cost int) bool {
	c.stop.Store(true)
	c.asked++
	return false
}

// A traceback that is stopped asks for no more cells, however long a gap may be.
func TestTracebackStops(t *testing.T) {
	m, err := NewModel(EndsFree, Free{}, Scoring{Penalties: DefaultPenalties})
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAligner(Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 100_000)
	for i := range text {
		text[i] = 'A'
	}
	if err := a.load([]byte("CCCC"), text); err != nil {
		t.Fatal(err)
	}
	c := &stoppingCells{}
	trace := spanTraceback{model: &m, pattern: &a.pattern, text: &a.text, cells: c}
	_, ok, err := trace.result(nil, spanCell{4, len(text), 1 << 20}, &c.stop)
	if ok || err != errStopped || c.asked > 2 {
		t.Errorf("ok %v, error %v, after %d cells", ok, err, c.asked)
	}
}
