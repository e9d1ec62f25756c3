package gpu

import "time"

// event marks a point in a stream, to measure times.
type event struct {
	d      *device
	handle handle
}

func (d *device) newEvent() (*event, error) {
	h, err := d.createEvent(eventBlockingSync)
	if err != nil {
		return nil, err
	}
	return &event{d, h}, nil
}

func (d *device) createEvent(flags uint32) (h handle, err error) {
	err = d.run("cuEventCreate", func() (r result) {
		h, r = d.drv.eventCreate(flags)
		return r
	})
	return h, err
}

// record puts the event behind everything queued in s; an event recorded before
// moves there.
func (e *event) record(s *stream) error {
	return e.d.run("cuEventRecord", func() result { return e.d.drv.eventRecord(e.handle, s.handle) })
}

// since waits for the event and returns the device's time from start to it, to
// about half a microsecond. Both must have been recorded, start first.
func (e *event) since(start *event) (time.Duration, error) {
	err := e.d.run("cuEventSynchronize", func() result { return e.d.drv.eventSynchronize(e.handle) })
	if err != nil {
		return 0, err
	}
	var ms float32
	err = e.d.run("cuEventElapsedTime", func() (r result) {
		ms, r = e.d.drv.eventElapsedTime(start.handle, e.handle)
		return r
	})
	return time.Duration(float64(ms) * float64(time.Millisecond)), err
}

// close frees the event. Closing twice does nothing.
func (e *event) close() error {
	return e.d.destroy("cuEventDestroy", &e.handle, e.d.drv.eventDestroy)
}
