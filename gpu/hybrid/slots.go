package hybrid

const (
	// maxSlots is enough for any number of threads, as reading and writing a
	// batch take a small part of the time that aligning it takes.
	maxSlots = 16
	// gpuSlots is the number of batches that keep a GPU busy: some are copied
	// while others are in its kernels.
	gpuSlots = 8
)

// Slots is the number of batches in flight that are useful to a caller that
// reads, aligns and writes batches at the same time: one for each thread, one
// being read and one being written, and enough for every GPU. now grows to at
// most most when GPUs join after an early start; before that, the CPU alone
// would only take memory for more batches.
func (e *Engine) Slots() (now, most int) {
	threads, gpus := e.opts.CPU.Threads, 0
	if set := e.gpus.Load(); set != nil {
		gpus = len(set.gpus)
	}
	most = slotsFor(threads, max(gpus, e.expected))
	return min(slotsFor(threads, gpus), most), most
}

func slotsFor(threads, gpus int) int {
	least := gpuSlots * gpus
	return min(max(threads+2, least), max(maxSlots, least))
}
