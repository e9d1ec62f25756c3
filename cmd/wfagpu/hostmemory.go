package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// memorySize is a bound on memory: bytes, or a share of what there is.
type memorySize struct {
	bytes int64
	share float64
}

// of is the bound in bytes where there are so many.
func (m memorySize) of(all int64) int64 {
	if m.bytes > 0 {
		return m.bytes
	}
	return int64(m.share * float64(all))
}

// parseMemorySize reads a share such as 0.5 or 50%, or a number of bytes as
// parseBytes does.
func parseMemorySize(s string) (memorySize, error) {
	digits, percent := strings.CutSuffix(s, "%")
	if percent || strings.Contains(s, ".") {
		share, err := strconv.ParseFloat(digits, 64)
		if percent {
			share /= 100
		}
		if err != nil || !(share > 0 && share <= 1) {
			return memorySize{}, fmt.Errorf("%q is no share above 0 and up to 1, or 100%%", s)
		}
		return memorySize{share: share}, nil
	}
	n, err := parseBytes(s)
	if err != nil {
		return memorySize{}, fmt.Errorf("%w; or a share such as 0.5 or 50%%", err)
	}
	return memorySize{bytes: int64(n)}, nil
}

// parseAutoMemory is parseMemorySize, with auto as the zero value.
func parseAutoMemory(s string) (memorySize, error) {
	if s == "auto" {
		return memorySize{}, nil
	}
	return parseMemorySize(s)
}

const (
	// autoHostShare of the machine's memory, and at most autoHostMost, is what
	// --host-memory auto is. unknownHost is the memory of a machine that does not
	// tell.
	autoHostShare = 1. / 8
	autoHostMost  = 8 << 30
	unknownHost   = 8 << 30
	// leastHost is the least that a share may come to; as parseBytes.
	leastHost = 1 << 20
)

// hostMemoryOf is the memory of batches in flight, in bytes. machine is the memory
// of the machine, 0 if unknown.
func (o *alignOptions) hostMemoryOf(machine int64) int64 {
	if machine == 0 {
		machine = unknownHost
	}
	if o.hostMemory == (memorySize{}) {
		return max(leastHost, min(int64(autoHostShare*float64(machine)), autoHostMost))
	}
	return max(leastHost, min(o.hostMemory.of(machine), math.MaxInt64/4))
}

const (
	// mostBatch is the largest number of bases in a batch: a
	// GPU aligns pairs of many batches at a time, and reading, aligning and
	// writing overlap only where there are several.
	mostBatch = 16e6
	// batchesInMemory is the least number of batches of full size for which
	// --host-memory has room.
	batchesInMemory = 16
	// bytesPerBase is the storage of a batch with its results, a guess.
	bytesPerBase = 3
	// readerBatches is the number of batches of letters that the reader has
	// beside those in flight.
	readerBatches = 12
)

// basesPerBatch is --batch-bases, but no more than mostBatch and than memory is for.
func basesPerBatch(wanted int, memory int64) int {
	return int(max(1, min(int64(wanted), mostBatch, memory/(batchesInMemory*bytesPerBase))))
}

// samBases is the size of a batch, in bases, that becomes SAM. Its text is made of letters and qualities,
// which smaller batches leave in the processor's caches meanwhile.
const samBases = 1e6

// setBatchOnCPU sets the size of batches that the CPU aligns alone, unless it is given.
func (o *alignOptions) setBatchOnCPU() {
	if o.format == "sam" && !o.batchGiven {
		o.batchBases = min(o.batchBases, samBases)
	}
}

// pipelineMemory is what the reader leaves of the memory for batches in flight.
func pipelineMemory(memory int64, batchBases int) int64 {
	return max(memory-readerBatches*int64(batchBases), memory/2)
}

// earlyBatches is what batches in flight take while GPUs are being opened, in bytes: as much as the first launches
// need. The driver takes twice as long to open a GPU where the process uses more and more memory meanwhile.
const earlyBatches = 256 << 20

// earlyMemory is the memory of batches in flight while GPUs are being opened: earlyBatches, and enough for the CPU.
func earlyMemory(threads int, batch int64) int64 { return max(earlyBatches, int64(threads+2)*batch) }
