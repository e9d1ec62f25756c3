package driver

// Event is a point in the queue of a stream. One goroutine at a time should use it.
type Event struct {
	d      *Device
	handle Handle
}

// NewEvent returns an event that is not recorded. A thread that waits for it sleeps.
func (d *Device) NewEvent() (*Event, error) {
	e := &Event{d: d}
	err := d.run("cuEventCreate", func() (r Result) {
		e.handle, r = d.api.EventCreate(EventBlockingSync | EventDisableTiming)
		return r
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Record makes the event the point behind all work that has been queued so far.
func (s *Stream) Record(e *Event) error {
	return s.d.run("cuEventRecord", func() Result { return s.d.api.EventRecord(e.handle, s.handle) })
}

// Wait waits until the work before the event is done.
func (e *Event) Wait() error {
	return e.d.run("cuEventSynchronize", func() Result { return e.d.api.EventSynchronize(e.handle) })
}

// Close closes the event. A second Close does nothing.
func (e *Event) Close() error { return e.d.destroy("cuEventDestroy", &e.handle, e.d.api.EventDestroy) }
