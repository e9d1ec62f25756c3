package main

import "wfagpu/gpu"

const (
	// smallInput is the size in bytes up to which an input needs few queues.
	smallInput = 64 << 10
	// smallQueues is the number of hardware queues for a small input. The driver
	// takes longer for more.
	smallQueues = 2
	// mediumInput is the size in bytes up to which an input is aligned in so short a time that opening a GPU
	// with fewer queues saves more than queues of long kernels cost, and mediumQueues their number.
	mediumInput  = 2 << 30
	mediumQueues = 4
)

// inputSize is the size of plain files in bytes, -1 if one is a pipe or cannot be
// read. Compressed files count as they are.
func inputSize(files []namedPath) int64 {
	var n int64
	for _, f := range files {
		if f.info == nil || !f.info.Mode().IsRegular() {
			return -1
		}
		n += f.info.Size()
	}
	return n
}

func isSmall(size int64) bool { return size >= 0 && size <= smallInput }

// queuesFor is the number of hardware queues for an input of a size.
func queuesFor(size int64) int {
	switch {
	case isSmall(size):
		return smallQueues
	case size >= 0 && size <= mediumInput:
		return mediumQueues
	}
	return gpu.PreferredQueues
}
