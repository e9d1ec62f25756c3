package hybrid

const (
	// maxForCPU suffices for any number of threads: reading and writing a batch
	// take a small part of the time that aligning it takes.
	maxForCPU = 16
	// perGPU is the number of batches that keep a GPU busy: some are copied
	// while kernels align others.
	perGPU = 8
)

// InFlight returns the number of batches that a caller that reads, aligns and writes
// concurrently keeps in flight: one for each thread, one being read and one being
// written, and enough for every GPU. now is the number at present, most the largest
// that it can become when GPUs join after an early start. More batches than now
// take memory and do not save time.
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
