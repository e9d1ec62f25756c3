package align

// bandArgs is the argument of the band routines.
type bandArgs struct{ _ int }
