package driver

import "time"

// Internals for the tests in package driver_test.

// Handle and Done return the handles of a stream and of the event that Wait
// sleeps on.
func (s *Stream) Handle() Handle { return s.handle }
func (s *Stream) Done() Handle   { return s.done }

// ResultName returns this package's own name for a result.
func ResultName(r Result) string { return resultTexts[r].name }

// SetSpinTime changes how long Wait polls, and returns what undoes that.
func SetSpinTime(d time.Duration) (undo func()) {
	before := spinTime
	spinTime = d
	return func() { spinTime = before }
}
