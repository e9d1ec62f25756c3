package gpu

import (
	"errors"
	"unsafe"

	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/pack"
)

// Sizes of a slot. Chunks are large enough to fill the device for some time and
// small enough that several are in flight: one in the kernels while others are
// copied, staged and decoded.
const (
	chunkWords   = 3 << 19 // of packed bases
	chunkLetters = chunkWords * abi.LettersPerWord
	chunkPairs   = 1 << 16
	chunkCigars  = 4 << 20   // elements of all alignments of a pass
	maxLaunches  = 1<<12 - 1 // in one pass

	// letterTail is the number of bytes that kernels may read past the last
	// sequence.
	letterTail = 256
)

const (
	pairBytes   = int(unsafe.Sizeof(abi.Pair{}))
	taskBytes   = int(unsafe.Sizeof(abi.Task{}))
	resultBytes = int(unsafe.Sizeof(abi.Result{}))
)

// buffers is a slot's memory on the host and on the device, without its rows.
type buffers struct {
	dev *driver.Device

	// Pinned memory, the host's side of the copies.
	pinned  []byte
	letters []byte   // if the device packs
	bases   []uint32 // if the host packs
	pairs   []abi.Pair
	tasks   []abi.Task
	results []abi.Result
	cigars  []uint32
	used    []uint32 // length 1: number of elements of cigars in use

	device deviceBuffers
}

// deviceBuffers are addresses on the device.
type deviceBuffers struct {
	all                                                     driver.Ptr
	letters, bases, pairs, tasks, results, cigars, counters driver.Ptr
}

// parts cuts memory into aligned pieces.
type parts struct{ size int }

func (p *parts) next(bytes int) (at int) {
	at = p.size
	p.size += (bytes + 255) &^ 255
	return at
}

// deviceLayout places a slot's buffers on the device, from address 0 on.
func deviceLayout(hostPacks bool) (d deviceBuffers, bytes int) {
	var p parts
	if !hostPacks {
		d.letters = driver.Ptr(p.next(chunkLetters + letterTail))
	}
	d.bases = driver.Ptr(p.next(4*chunkWords + letterTail))
	d.pairs = driver.Ptr(p.next(chunkPairs * pairBytes))
	d.tasks = driver.Ptr(p.next(chunkPairs * taskBytes))
	d.results = driver.Ptr(p.next(chunkPairs * resultBytes))
	d.cigars = driver.Ptr(p.next(4 * chunkCigars))
	d.counters = driver.Ptr(p.next(4 * (maxLaunches + 1)))
	return d, p.size
}

func view[T any](b []byte, n int) []T { return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n) }

// bytesOf is the memory of a slice.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// allocate allocates the buffers of a slot. hostPacks says that the host packs
// sequences, not the device.
func allocate(dev *driver.Device, hostPacks bool) (*buffers, error) {
	m := &buffers{dev: dev}
	sequences := chunkLetters
	if hostPacks {
		sequences = 4 * (chunkWords + pack.Tail)
	}
	var h parts
	letters, pairs := h.next(sequences), h.next(chunkPairs*pairBytes)
	tasks, results := h.next(chunkPairs*taskBytes), h.next(chunkPairs*resultBytes)
	cigars, used := h.next(4*chunkCigars), h.next(4)
	var err error
	if m.pinned, err = dev.AllocPinned(h.size); err != nil {
		return nil, err
	}
	if hostPacks {
		m.bases = view[uint32](m.pinned[letters:], chunkWords+pack.Tail)
	} else {
		m.letters = m.pinned[letters : letters+chunkLetters]
	}
	m.pairs = view[abi.Pair](m.pinned[pairs:], chunkPairs)
	m.tasks = view[abi.Task](m.pinned[tasks:], chunkPairs)
	m.results = view[abi.Result](m.pinned[results:], chunkPairs)
	m.cigars = view[uint32](m.pinned[cigars:], chunkCigars)
	m.used = view[uint32](m.pinned[used:], 1)

	d, bytes := deviceLayout(hostPacks)
	all, err := dev.Alloc(bytes)
	if err != nil {
		return nil, errors.Join(err, m.free())
	}
	for _, p := range []*driver.Ptr{&d.all, &d.letters, &d.bases, &d.pairs, &d.tasks, &d.results, &d.cigars, &d.counters} {
		*p += all
	}
	m.device = d
	return m, nil
}

// free frees everything. The slot's stream must be idle.
func (m *buffers) free() error {
	err := errors.Join(m.dev.Free(m.device.all), m.dev.FreePinned(m.pinned))
	m.device.all, m.pinned = 0, nil
	return err
}
