package main

import (
	"context"
	"fmt"
	"slices"
)

// contestant is one program in one configuration. Its measure makes a pass
// over the set and returns how many pairs took how long.
type contestant struct {
	name    string // column of the table
	measure func(context.Context) (pairs int, seconds float64, err error)

	pairs   int
	seconds []float64 // one a round
	least   bool      // of seconds, in place of the median, is the result
}

func (c *contestant) rate() float64 {
	if c.least {
		return float64(c.pairs) / slices.Min(c.seconds)
	}
	return float64(c.pairs) / median(c.seconds)
}

func median(s []float64) float64 {
	s = slices.Sorted(slices.Values(s))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// alternate lets the contestants take turns, so that other load on the machine
// affects all of them.
func alternate(ctx context.Context, rounds int, contestants []*contestant) error {
	for round := range rounds {
		for i := range contestants {
			c := contestants[(i+round)%len(contestants)]
			pairs, seconds, err := c.measure(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			c.pairs = pairs
			c.seconds = append(c.seconds, seconds)
		}
	}
	return nil
}
