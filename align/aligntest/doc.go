// Package aligntest is the contract that every alignment engine must meet, as
// a test suite.
//
// Run checks an engine against independent oracles: a plain dynamic program
// (Gotoh) for short pairs, a banded one that proves its own exactness
// (BandedScore) for long pairs, and a replay of every CIGAR (Check). An
// engine's own test is one call:
//
//	aligntest.Run(t, func(t testing.TB, o align.Options) aligntest.Engine { ... })
//
// RunSpans does the same for spans and scorings other than global penalties, with the definition
// itself (Spans) as the oracle.
//
// EdgeCases and RandomCases give the pairs themselves, for tests that compare two engines with each
// other. AlignBand aligns a pair within one adaptive band, for engines that follow the rule of the
// approximate mode. Package wfa2 is an oracle from outside: a driver around WFA2-lib.
package aligntest
