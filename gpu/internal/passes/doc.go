// Package passes chooses the passes of a pair on the device: the kernel and the score bound of the
// first one, and of the next one after what a kernel reports.
//
// Files refer one way, but for those with methods of Policy: policy → gated, bounding → spanrule →
// probe, surerule → bandrule → exactrule → boundrule → errorbound, task, cause.
package passes
