package driver

// Internals for the tests in package driver_test.

// Handle returns the handle of a stream.
func (s *Stream) Handle() Handle { return s.handle }

// Waits reports whether a goroutine asks for streams of the device.
func (d *Device) Waits() bool {
	d.waiter.mu.Lock()
	defer d.waiter.mu.Unlock()
	return d.waiter.running
}

// ResultName returns this package's own name for a result.
func ResultName(r Result) string { return resultTexts[r].name }
