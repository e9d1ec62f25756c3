package memory

// event wakes all goroutines that wait for it. The lock of its owner protects it.
type event struct{ ch chan struct{} }

// wait returns a channel that the next signal closes.
func (e *event) wait() <-chan struct{} {
	if e.ch == nil {
		e.ch = make(chan struct{})
	}
	return e.ch
}

func (e *event) signal() {
	if e.ch != nil {
		close(e.ch)
		e.ch = nil
	}
}
