// Package tally counts the results of pairs: scores, lengths, identities and gaps, as
// histograms whose memory does not depend on the number of pairs.
//
// Tallies of parts of the input add up to that of the whole, in any order.
package tally
