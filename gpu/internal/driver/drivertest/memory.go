package drivertest

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"unsafe"

	"wfagpu/gpu/internal/driver"
)

// block is an allocation, of a device or pinned.
type block struct {
	data []byte
	raw  []byte // as it was allocated, with data inside; nil if the driver has not allocated it
	ctx  driver.Handle
}

const (
	alignment = 256
	// guard is the number of free bytes behind every allocation, so that an
	// access past its end is not inside the next allocation.
	guard = 4096
)

func (b *block) base() driver.Ptr {
	return driver.Ptr(uintptr(unsafe.Pointer(unsafe.SliceData(b.data))))
}

// memory is the memory of devices, and pinned memory of the host.
type memory struct {
	*contexts
	// Recycle reuses freed memory for allocations. Its contents are arbitrary,
	// as on a real GPU; new memory is zero.
	Recycle bool
	// HostLimit bounds pinned memory in bytes; 0 is no limit.
	HostLimit uint64

	blocks []*block // device memory, by address
	pinned map[uintptr]*block
}

// MemoryAt returns n bytes of device memory, nil if they are not wholly inside
// one allocation.
func (f *memory) MemoryAt(p driver.Ptr, n int) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bytesAt(p, uint64(n))
}

// PinnedAt returns n bytes of pinned memory by their address, which is the same on the
// host and on the device, nil if they are not wholly inside one allocation.
func (f *memory) PinnedAt(p driver.Ptr, n int) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pinnedAt(uintptr(p), uint64(n))
}

// Used returns how many bytes of a device's memory are allocated.
func (f *memory) Used(device int) uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Devices[device].used
}

// Resize changes the size of a device's memory, at least to what is allocated.
func (f *memory) Resize(device int, bytes uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := &f.Devices[device]
	d.Memory = max(bytes, d.used)
}

func (f *memory) bytesAt(p driver.Ptr, n uint64) []byte {
	i := sort.Search(len(f.blocks), func(i int) bool { return f.blocks[i].base() > p }) - 1
	if i < 0 {
		return nil
	}
	b := f.blocks[i]
	return within(b, uint64(p-b.base()), n)
}

// pinnedAt returns n bytes of pinned memory, nil if they are not wholly inside
// one allocation.
func (f *memory) pinnedAt(p uintptr, n uint64) []byte {
	for base, b := range f.pinned {
		if p < base {
			continue
		}
		if found := within(b, uint64(p-base), n); found != nil {
			return found
		}
	}
	return nil
}

// within returns n bytes of a block, nil if they are not wholly inside it.
func within(b *block, offset, n uint64) []byte {
	size := uint64(len(b.data))
	if offset > size || n > size-offset {
		return nil
	}
	return b.data[offset : offset+n]
}

// take allocates n bytes.
func (f *memory) take(n uint64, ctx driver.Handle) *block {
	size := int(n) + alignment + guard
	b := &block{ctx: ctx}
	if f.Recycle {
		b.raw = freed.take(size)
	} else {
		b.raw = make([]byte, size)
	}
	start := -uintptr(unsafe.Pointer(unsafe.SliceData(b.raw))) & (alignment - 1)
	b.data = b.raw[start : start+uintptr(n) : start+uintptr(n)]
	return b
}

func (f *memory) give(b *block) {
	if f.Recycle && b.raw != nil {
		freed.give(b.raw)
	}
}

func (f *memory) fill(api *driver.API) {
	api.MemGetInfo = func() (free, total uint64, r driver.Result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemGetInfo")
		if r != driver.Success {
			return 0, 0, r
		}
		d := f.device(ctx)
		return d.Memory - d.used, d.Memory, driver.Success
	}
	api.MemAlloc = f.memAlloc
	api.MemFree = func(p driver.Ptr) driver.Result {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemFree")
		if r != driver.Success {
			return r
		}
		i := slices.IndexFunc(f.blocks, func(b *block) bool { return b.base() == p && b.ctx == ctx })
		if i < 0 {
			return driver.ResultInvalidValue
		}
		f.device(ctx).used -= uint64(len(f.blocks[i].data))
		f.give(f.blocks[i])
		f.blocks = slices.Delete(f.blocks, i, i+1)
		return driver.Success
	}
	api.MemHostAlloc = f.memHostAlloc
	api.MemFreeHost = func(p unsafe.Pointer) driver.Result { return f.unpin("cuMemFreeHost", p, true) }
	api.MemHostRegister = f.memHostRegister
	api.MemHostUnregister = func(p unsafe.Pointer) driver.Result { return f.unpin("cuMemHostUnregister", p, false) }
}

// unpin frees pinned memory that the driver has allocated, or that it has not.
func (f *memory) unpin(call string, p unsafe.Pointer, allocated bool) driver.Result {
	defer f.mu.Unlock()
	if _, r := f.beginIn(call); r != driver.Success {
		return r
	}
	b := f.pinned[uintptr(p)]
	if b == nil || (b.raw != nil) != allocated {
		return driver.ResultInvalidValue
	}
	f.give(b)
	delete(f.pinned, uintptr(p))
	return driver.Success
}

func (f *memory) memAlloc(n uint64) (driver.Ptr, driver.Result) {
	defer f.mu.Unlock()
	ctx, r := f.beginIn("cuMemAlloc")
	if r == driver.Success && n == 0 {
		r = driver.ResultInvalidValue
	}
	if r != driver.Success {
		return 0, r
	}
	d := f.device(ctx)
	if n > d.Memory-d.used {
		return 0, driver.ResultOutOfMemory
	}
	d.used += n
	b := f.take(n, ctx)
	at, _ := slices.BinarySearchFunc(f.blocks, b, func(x, y *block) int { return cmp.Compare(x.base(), y.base()) })
	f.blocks = slices.Insert(f.blocks, at, b)
	return b.base(), driver.Success
}

func (f *memory) memHostAlloc(n uint64, flags uint32) (unsafe.Pointer, driver.Result) {
	defer f.mu.Unlock()
	ctx, r := f.beginIn("cuMemHostAlloc")
	if r == driver.Success && (n == 0 || flags != driver.HostAllocPortable) {
		r = driver.ResultInvalidValue
	}
	if r != driver.Success {
		return nil, r
	}
	if !f.hostRoom(n) {
		return nil, driver.ResultOutOfMemory
	}
	b := f.take(n, ctx)
	p := unsafe.Pointer(unsafe.SliceData(b.data))
	f.pinned[uintptr(p)] = b
	return p, driver.Success
}

// hostRoom reports whether n more bytes may be pinned.
func (f *memory) hostRoom(n uint64) bool {
	for _, b := range f.pinned {
		n += uint64(len(b.data))
	}
	return f.HostLimit == 0 || n <= f.HostLimit
}

func (f *memory) memHostRegister(p unsafe.Pointer, n uint64, flags uint32) driver.Result {
	defer f.mu.Unlock()
	ctx, r := f.beginIn("cuMemHostRegister")
	switch {
	case r != driver.Success:
		return r
	case n == 0 || flags != driver.HostRegisterPortable || f.pinned[uintptr(p)] != nil:
		return driver.ResultInvalidValue
	case !f.hostRoom(n):
		return driver.ResultOutOfMemory
	}
	f.pinned[uintptr(p)] = &block{data: unsafe.Slice((*byte)(p), n), ctx: ctx}
	return driver.Success
}

// end frees the memory of a context and returns the kinds of its blocks.
func (f *memory) end(ctx driver.Handle) (kinds []string) {
	lose := func(b *block, kind string) bool {
		if b.ctx == ctx {
			kinds = append(kinds, kind)
			f.give(b)
		}
		return b.ctx == ctx
	}
	f.blocks = slices.DeleteFunc(f.blocks, func(b *block) bool { return lose(b, "memory") })
	maps.DeleteFunc(f.pinned, func(_ uintptr, b *block) bool { return lose(b, "pinned") })
	f.device(ctx).used = 0
	return kinds
}
