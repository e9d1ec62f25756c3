package estimate

// Rates are what an estimator makes of the scores so far, by length class.
type Rates [Classes]Rate

// Rate is that of one class.
type Rate struct {
	// Bound is the score bound per letter of a pair's first exact pass, unless a
	// bounding pass finds the bound.
	Bound    float64
	Bounding bool
	// Gated tells that a gated pass comes before these.
	Gated bool
	// Rests tells that gated passes have mostly failed of late.
	Rests bool
	// Again is the bound per letter of the pass after that, 0 if no higher scores are known.
	Again float64
	SlackShares
	SlackFails
	// PerSeed is the score for each broken seed that few of the pairs exceed that have been probed.
	PerSeed float64
	// Spare is how many diagonals on either side a band has beside those that a pair needs which has been probed.
	Spare int
	// Known reports that scores have been seen, of this class or of a shorter one.
	Known bool
	// Own reports that enough scores of this class have been.
	Own bool
	// Version changes when pairs that wait for their first pass should be given
	// another bound. It is not 0.
	Version uint32
}
