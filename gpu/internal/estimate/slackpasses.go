package estimate

// Passes for a slack fail where pairs have more: where a result has told it, the band that
// certifies it tells more in most noisy reads within texts; and of pairs with as many errors, those
// in repeats have the most, or those with long gaps.

// SlackSource says where the slack of a pass is from, whose bound is an upper bound of the score.
type SlackSource uint8

const (
	LikelySlack  SlackSource = iota // pairs with as many errors
	ToldSlack                       // a result of the pair
	slackSources = iota
)

// mostSlackPasses are remembered, of a length class, a source and a rate.
const mostSlackPasses = 1 << 10

// SlackPasses counts passes for slacks of a length class, by source and by the rate of the score bound.
type SlackPasses [slackSources][slackRates]PassCounts

// SlackFails are the shares of these passes that have failed of late, 0 before enough are known: see FailedFor of package passes.
type SlackFails [slackSources][slackRates]float32

// fails returns the shares of passes that have failed.
func (s *SlackPasses) fails() (f SlackFails) {
	for source := range s {
		for rate := range s[source] {
			f[source][rate] = float32(s[source][rate].share(enoughSlacks))
		}
	}
	return f
}

// add adds passes.
func (s *SlackPasses) add(o *SlackPasses) {
	for source := range s {
		for rate := range s[source] {
			s[source][rate].add(o[source][rate], mostSlackPasses)
		}
	}
}
