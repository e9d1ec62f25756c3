package driver

import (
	"fmt"
	"sync"
	"unsafe"
)

// mappings are the pages of pinned memory that the driver has not allocated itself, by
// their first byte.
type mappings struct {
	mu    sync.Mutex
	pages map[unsafe.Pointer][]byte
}

// add adds pages.
func (m *mappings) add(pages []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pages == nil {
		m.pages = map[unsafe.Pointer][]byte{}
	}
	m.pages[unsafe.Pointer(unsafe.SliceData(pages))] = pages
}

// remove returns the pages that begin at p, nil if there are none, and forgets them.
func (m *mappings) remove(p unsafe.Pointer) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	pages := m.pages[p]
	delete(m.pages, p)
	return pages
}

// unmapAll gives all pages back to the system.
func (m *mappings) unmapAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, pages := range m.pages {
		unmapPages(pages)
	}
	m.pages = nil
}

// AllocPinned returns host memory of at least one byte that the device copies
// from and to without the CPU, and reads at the same address. It is not Go memory;
// FreePinned frees it.
//
// From a huge page on, the memory is mapped in huge pages and registered with the driver, where the
// system and the device allow it: pages of 4 KiB, as the driver allocates them, take about half a
// millisecond per megabyte, in which no other call of the driver gets on.
func (d *Device) AllocPinned(bytes int) ([]byte, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("cuMemHostAlloc: %d bytes of pinned memory requested", bytes)
	}
	if bytes >= hugePage && d.registers.Load() {
		if pages, err := mapPages(bytes); err == nil {
			pages, err = d.register(pages)
			if !isRefused(err) {
				return pages, err
			}
			d.registers.Store(false) // a driver of a virtual machine, perhaps
		}
	}
	var p unsafe.Pointer
	err := d.run("cuMemHostAlloc", func() (r Result) {
		p, r = d.api.MemHostAlloc(uint64(bytes), HostAllocPortable)
		return r
	})
	if err != nil {
		return nil, notPinned(bytes, err)
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

// register pins pages, or unmaps them.
func (d *Device) register(pages []byte) ([]byte, error) {
	err := d.run("cuMemHostRegister", func() Result {
		return d.api.MemHostRegister(unsafe.Pointer(unsafe.SliceData(pages)), uint64(len(pages)), HostRegisterPortable)
	})
	if err != nil {
		unmapPages(pages)
		return nil, notPinned(len(pages), err)
	}
	d.mapped.add(pages)
	return pages, nil
}

func notPinned(bytes int, err error) error {
	return fmt.Errorf("%d bytes of pinned memory: %w", bytes, err)
}

// FreePinned frees memory of AllocPinned. b starts at the start of the allocation and
// may be shorter. It ignores nil.
func (d *Device) FreePinned(b []byte) error {
	p := unsafe.Pointer(unsafe.SliceData(b))
	if p == nil {
		return nil
	}
	pages := d.mapped.remove(p)
	if pages == nil {
		return d.run("cuMemFreeHost", func() Result { return d.api.MemFreeHost(p) })
	}
	defer unmapPages(pages) // the driver keeps what it has not unregistered
	return d.run("cuMemHostUnregister", func() Result { return d.api.MemHostUnregister(p) })
}
