package align

// Costs in nanoseconds, as in choose.go.
const (
	editSetup  = 350.0
	editLetter = 0.05
	editWord   = 4.0  // one column of a strip in plain Go
	editError  = 30.0 // one difference, in the traceback
)

// cost estimates what edit costs for a pair whose distance is expected.
func (e *edit) cost(rows, columns, expected int) float64 {
	bound := margined(expected)
	// At the ends of the pair, and on average half as far from its end diagonal.
	strips := min(1+float64(bound)*0.75/64, float64(rows+63)/64)
	steps := float64(columns + rows/64)
	step := editWord * strips
	if len(e.kern) > 0 {
		step = 0
		for left := int(strips + 0.5); left > 0; {
			k := e.kern.pick(left)
			step += k.step
			left -= k.lanes
		}
	}
	return editSetup + editLetter*float64(rows+columns) + steps*step + editError*float64(expected)
}
