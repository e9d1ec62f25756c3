// Package kernel holds the kernel families: for each way in which the device
// computes alignments, what it can take, what it costs, how its memory is laid
// out, how it is launched and how its results are read.
//
// A family is one Go file here and one CUDA file in cuda/: warp, block and
// general compute exact alignments; adaptivewarp and adaptiveblock compute the
// adaptive band of the approximate mode. The table in families.go lists them.
// Families with wavefronts in registers have several shapes, compiled kernels of
// different widths, in tables from which cuda/variants.cuh is generated.
//
// Load looks up the kernels that a configuration can use and returns them as a
// Set, the cheapest first. The package knows nothing of batches, queues or
// retries: its user chooses a Kernel for each pair and groups pairs of one
// Kernel into launches.
package kernel
