// Package formattest reads PAF and SAM for tests, and replays their records over the
// sequences. It shares no code with the packages that write them.
package formattest
