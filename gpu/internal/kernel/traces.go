package kernel

import (
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// traces are the two traceback kernels of a family that computes the matrix or a band of it: a
// thread for each pair suits launches of many short pairs, a warp those of few or long ones.
type traces struct{ thread, warp *driver.Function }

// traces looks up the two, of which the second has a suffix.
func (l *loader) traces(name string) (*traces, error) {
	thread, err := l.function(name)
	if err != nil {
		return nil, err
	}
	warp, err := l.function(name + "_warp")
	if err != nil {
		return nil, err
	}
	return &traces{thread, warp}, nil
}

// launch queues one of them.
func (t *traces) launch(s *driver.Stream, byWarp bool, a *abi.Params) error {
	if byWarp {
		return traceback(s, t.warp, 32, a)
	}
	return traceback(s, t.thread, 1, a)
}
