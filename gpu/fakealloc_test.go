package gpu

import (
	"slices"
	"sort"
	"unsafe"
)

type fakeBlock struct {
	base devicePtr
	data []byte
	ctx  handle
}

type fakePinned struct {
	data []byte
	ctx  handle
}

// memoryAt returns n bytes of device memory, nil if they are not wholly inside
// one allocation. For launch functions and for tests that look inside.
func (f *fakeDriver) memoryAt(p devicePtr, n int) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bytesAt(p, uint64(n))
}

func (f *fakeDriver) bytesAt(p devicePtr, n uint64) []byte {
	i := sort.Search(len(f.blocks), func(i int) bool { return f.blocks[i].base > p }) - 1
	if i < 0 {
		return nil
	}
	b := f.blocks[i]
	offset, size := uint64(p-b.base), uint64(len(b.data))
	if offset > size || n > size-offset {
		return nil
	}
	return b.data[offset : offset+n]
}

// pinnedAt returns n bytes of pinned memory, nil if they are not.
func (f *fakeDriver) pinnedAt(p unsafe.Pointer, n uint64) []byte {
	for base, b := range f.pinned {
		offset := uintptr(p) - base
		if uintptr(p) >= base && uint64(offset) <= uint64(len(b.data)) && n <= uint64(len(b.data))-uint64(offset) {
			return b.data[offset : uint64(offset)+n]
		}
	}
	return nil
}

func (f *fakeDriver) fillMemory(drv *driver) {
	drv.memGetInfo = func() (free, total uint64, r result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemGetInfo")
		if r != success {
			return 0, 0, r
		}
		d := f.of(ctx)
		return d.memory - d.used, d.memory, success
	}
	drv.memAlloc = func(n uint64) (devicePtr, result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemAlloc")
		if r == success && n == 0 {
			r = resultInvalidValue
		}
		if r != success {
			return 0, r
		}
		d := f.of(ctx)
		if n > d.memory-d.used {
			return 0, resultOutOfMemory
		}
		d.used += n
		// A gap behind every allocation, so that running over its end is seen.
		f.next = (f.next + 4096 + 255) &^ 255
		b := &fakeBlock{base: devicePtr(f.next), data: f.take(int(n)), ctx: ctx}
		f.next += uintptr(n)
		f.blocks = append(f.blocks, b)
		return b.base, success
	}
	drv.memFree = func(p devicePtr) result {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemFree")
		if r != success {
			return r
		}
		i := slices.IndexFunc(f.blocks, func(b *fakeBlock) bool { return b.base == p && b.ctx == ctx })
		if i < 0 {
			return resultInvalidValue
		}
		f.of(ctx).used -= uint64(len(f.blocks[i].data))
		f.give(f.blocks[i].data)
		f.blocks = slices.Delete(f.blocks, i, i+1)
		return success
	}
	drv.memHostAlloc = func(n uint64, flags uint32) (unsafe.Pointer, result) {
		defer f.mu.Unlock()
		ctx, r := f.beginIn("cuMemHostAlloc")
		if r == success && (n == 0 || flags != hostAllocPortable) {
			r = resultInvalidValue
		}
		if r != success {
			return nil, r
		}
		held := n
		for _, b := range f.pinned {
			held += uint64(len(b.data))
		}
		if f.hostLimit > 0 && held > f.hostLimit {
			return nil, resultOutOfMemory
		}
		b := &fakePinned{data: f.take(int(n)), ctx: ctx}
		p := unsafe.Pointer(unsafe.SliceData(b.data))
		f.pinned[uintptr(p)] = b
		return p, success
	}
	drv.memFreeHost = func(p unsafe.Pointer) result {
		defer f.mu.Unlock()
		if _, r := f.beginIn("cuMemFreeHost"); r != success {
			return r
		}
		b := f.pinned[uintptr(p)]
		if b == nil {
			return resultInvalidValue
		}
		f.give(b.data)
		delete(f.pinned, uintptr(p))
		return success
	}
	drv.memcpyHtoDAsync = func(dst devicePtr, src unsafe.Pointer, n uint64, stream handle) result {
		defer f.mu.Unlock()
		s, r := f.use("cuMemcpyHtoDAsync", stream, "stream")
		if r != success {
			return r
		}
		return f.copy(s, f.bytesAt(dst, n), f.pinnedAt(src, n))
	}
	drv.memcpyDtoHAsync = func(dst unsafe.Pointer, src devicePtr, n uint64, stream handle) result {
		defer f.mu.Unlock()
		s, r := f.use("cuMemcpyDtoHAsync", stream, "stream")
		if r != success {
			return r
		}
		return f.copy(s, f.pinnedAt(dst, n), f.bytesAt(src, n))
	}
	drv.memsetD8Async = func(dst devicePtr, value byte, n uint64, stream handle) result {
		defer f.mu.Unlock()
		s, r := f.use("cuMemsetD8Async", stream, "stream")
		if r != success {
			return r
		}
		b := f.bytesAt(dst, n)
		if b == nil {
			return resultInvalidValue
		}
		f.work(s)
		for i := range b {
			b[i] = value
		}
		return success
	}
}

func (f *fakeDriver) copy(s *fakeObject, dst, src []byte) result {
	if dst == nil || src == nil {
		return resultInvalidValue
	}
	f.work(s)
	copy(dst, src)
	return success
}
