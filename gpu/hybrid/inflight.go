package hybrid

const (
	// maxForCPU is enough for any number of threads, as reading and writing a
	// batch take a small part of the time that aligning it takes.
	maxForCPU = 16
	// perGPU is the number of batches that keep a GPU busy: some are copied
	// while others are in its kernels.
	perGPU = 8
)

// InFlight is the number of batches in flight that are useful to a caller that
// reads, aligns and writes batches at the same time: one for each thread, one
// being read and one being written, and enough for every GPU. now grows to at
// most most when GPUs join after an early start; before that, more batches would
// only take memory.
func (e *Engine) InFlight() (now, most int) {
	threads, gpus := e.opts.CPU.Threads, 0
	if set := e.gpus.Load(); set != nil {
		gpus = len(set.gpus)
	}
	most = inFlightFor(threads, max(gpus, e.expected))
	return min(inFlightFor(threads, gpus), most), most
}

func inFlightFor(threads, gpus int) int {
	least := perGPU * gpus
	return min(max(threads+2, least), max(maxForCPU, least))
}
