package whole

import "slices"

// command is one way to align an input; several of them take turns.
type command struct {
	name   string
	input  string
	in     input
	args   []string
	scale  float64 // of the time: the input is a part of the work; 0 is 1
	loose  bool    // the output has scores alone
	whose  string  // the program, if it is not the session's
	times  []float64
	inside []float64
	stderr string
	output string // of the last run, if it is kept
	err    error
}

// seconds is the median time, scaled; 0 if the command failed.
func (c *command) seconds() float64 { return c.factor() * median(c.times) }

func (c *command) factor() float64 {
	if c.scale == 0 {
		return 1
	}
	return c.scale
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// onDevice is the flag of a device.
func onDevice(device string, more ...string) []string {
	return append([]string{"--device", device}, more...)
}
