// Package kernel implements the kernel families. A family is one way to compute
// alignments on the device. It defines which pairs it takes, its cost, its memory
// layout, its launch and the meaning of its flags.
//
// A family is one Go file here, and a kernel file in cuda/ that families may share: warp, block, long, tiles and
// general compute wavefronts, gotoh and edit a band of the matrix, span all of it, and gated what is between gates,
// for exact alignments; adaptive_warp, adaptive_long, adaptive_rings and adaptive_block compute an adaptive band, of the
// approximate mode or for a bound on the score. warp, block, long, gotoh and gated have families with free ends, such as
// warp_free, beside them. The table in families.go lists them. Most
// families have several shapes, compiled kernels of different widths, in tables from which
// cuda/variants-*.cuh is generated; instance.go has what those with wavefronts in registers
// share.
//
// Load looks up the kernels that a configuration can use and returns them as a Set, which
// finds the cheapest one for a pair. The caller chooses a Kernel for each pair and groups
// the pairs of one Kernel into launches; batches, queues and retries are not part of this
// package.
package kernel
