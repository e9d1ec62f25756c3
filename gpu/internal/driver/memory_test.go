package driver_test

import (
	"bytes"
	"errors"
	"testing"
	"unsafe"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

func TestOutOfMemory(t *testing.T) {
	f := drivertest.New(1)
	f.HostLimit = 1 << 20
	d := f.Open(t)
	p, err := d.Alloc(1 << 29)
	if err != nil {
		t.Fatal(err)
	}
	if free, total, err := d.Memory(); free != 1<<29 || total != 1<<30 || err != nil {
		t.Errorf("%d of %d free: %v", free, total, err)
	}
	if _, err := d.Alloc(1<<29 + 1); !driver.IsOutOfMemory(err) {
		t.Errorf("device: %v", err)
	}
	if _, err := d.AllocPinned(1<<20 + 1); !driver.IsOutOfMemory(err) {
		t.Errorf("host: %v", err)
	}
	if err := d.Free(p); err != nil {
		t.Error(err)
	}
	if free, _, _ := d.Memory(); free != 1<<30 {
		t.Errorf("%d free after all was freed", free)
	}
	for _, err := range []error{nil, errors.New("x"), &driver.Error{Code: 700}, driver.ErrNoDevice} {
		if driver.IsOutOfMemory(err) {
			t.Errorf("%v is taken for out of memory", err)
		}
	}
}

// Large pinned memory is mapped and registered where the device reads it at the host's addresses, and
// allocated by the driver elsewhere.
func TestPinnedPages(t *testing.T) {
	const size = 5 << 20
	for pointers, calls := range map[int32][]string{1: {"cuMemHostRegister", "cuMemHostUnregister"}, 0: {"cuMemHostAlloc", "cuMemFreeHost"}} {
		f := drivertest.New(1)
		f.Devices[0].HostPointers = pointers
		d := f.Open(t)
		b, err := d.AllocPinned(size)
		if err != nil || len(b) != size || bytes.Count(b, []byte{0}) != size {
			t.Fatalf("%d bytes: %v", len(b), err)
		}
		b[0], b[size-1] = 1, 2
		if found := f.PinnedAt(driver.Ptr(uintptr(unsafe.Pointer(&b[0]))), size); found == nil || found[size-1] != 2 {
			t.Errorf("host pointers %d: not pinned", pointers)
		}
		f.HostLimit = size + 2<<20
		if _, err := d.AllocPinned(4 << 20); !driver.IsOutOfMemory(err) {
			t.Errorf("host pointers %d: %v", pointers, err)
		}
		if err := d.FreePinned(b[:1]); err != nil {
			t.Error(err)
		}
		for _, call := range calls {
			if count(f, call) == 0 {
				t.Errorf("host pointers %d: no %s", pointers, call)
			}
		}
	}
}

// Where the driver refuses to register memory, it allocates it. Other failures are those of the caller.
func TestPinnedPagesRefused(t *testing.T) {
	for code, refused := range map[driver.Result]bool{
		driver.ResultNotSupported: true, driver.ResultNotPermitted: true, driver.ResultOperatingSystem: true,
		driver.ResultOutOfMemory: false, 719: false,
	} {
		f := drivertest.New(1)
		d := f.Open(t)
		f.FailEvery("cuMemHostRegister", code)
		for range 2 {
			b, err := d.AllocPinned(5 << 20)
			if (err == nil) != refused {
				t.Errorf("result %d: %v", code, err)
			}
			if err := d.FreePinned(b); err != nil {
				t.Error(err)
			}
		}
		if n := count(f, "cuMemHostRegister"); refused && n != 1 || !refused && n != 2 {
			t.Errorf("result %d: registered %d times", code, n)
		}
	}
}

// Sizes that are no sizes, and freeing nothing.
func TestNothingToAllocate(t *testing.T) {
	d := drivertest.New(1).Open(t)
	for _, n := range []int{0, -1} {
		if _, err := d.Alloc(n); err == nil {
			t.Errorf("%d bytes of device memory", n)
		}
		if _, err := d.AllocPinned(n); err == nil {
			t.Errorf("%d bytes of pinned memory", n)
		}
	}
	if err := errors.Join(d.Free(0), d.FreePinned(nil)); err != nil {
		t.Error(err)
	}
}

// Copies reach exactly the bytes that were named. Outside of an allocation, or
// with host memory that is not pinned, they fail; so does freeing twice.
func TestCopies(t *testing.T) {
	f := drivertest.New(1)
	d, s := newFakeStream(t, f)
	p, err := d.Alloc(100)
	if err != nil {
		t.Fatal(err)
	}
	host, err := d.AllocPinned(100)
	if err != nil {
		t.Fatal(err)
	}
	for i := range host {
		host[i] = byte(i + 1)
	}
	if err := errors.Join(s.ToDevice(p+10, host[20:30]), s.Fill(p+15, 0xee, 2), s.ToHost(host[50:60], p+10)); err != nil {
		t.Fatal(err)
	}
	if got, want := string(host[49:61]), "\x32\x15\x16\x17\x18\x19\xee\xee\x1c\x1d\x1e\x3d"; got != want {
		t.Errorf("%q came back, want %q", got, want)
	}
	if b := f.MemoryAt(p, 100); b[9] != 0 || b[10] != 21 || b[19] != 30 || b[20] != 0 {
		t.Errorf("device memory is %v", b)
	}
	if err := errors.Join(s.ToDevice(0, nil), s.ToHost(nil, 0), s.Fill(0, 1, 0)); err != nil {
		t.Errorf("copies of nothing: %v", err)
	}
	for name, err := range map[string]error{
		"behind the end": s.ToDevice(p+1, host),
		"before":         s.ToHost(host, p-1),
		"no allocation":  s.ToHost(host[:1], 12345),
		"fill too much":  s.Fill(p, 0, 101),
		"fill negative":  s.Fill(p, 0, -1),
		"Go memory":      s.ToDevice(p, make([]byte, 10)),
		"into Go memory": s.ToHost(make([]byte, 10), p),
		"inside":         d.Free(p + 1),
		"pinned, inside": d.FreePinned(host[1:]),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := errors.Join(d.Free(p), d.FreePinned(host[:50])); err != nil {
		t.Error(err)
	}
	if d.Free(p) == nil || d.FreePinned(host) == nil {
		t.Error("freed twice")
	}
}

// A fake device's addresses are those of the host memory behind them, aligned as
// on a device, and allocations do not touch.
func TestFakeAddresses(t *testing.T) {
	f := drivertest.New(1)
	f.Recycle = true
	d := f.Open(t)
	var all []driver.Ptr
	for range 20 {
		p, err := d.Alloc(300)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
		b := f.MemoryAt(p, 300)
		if uintptr(unsafe.Pointer(&b[0])) != uintptr(p) || p%256 != 0 {
			t.Errorf("address %#x is memory at %p", p, &b[0])
		}
		if f.MemoryAt(p, 301) != nil || f.MemoryAt(p+300, 1) != nil || f.MemoryAt(p-1, 1) != nil {
			t.Errorf("there is memory around the allocation at %#x", p)
		}
	}
	if used := f.Used(0); used != 20*300 {
		t.Errorf("%d bytes are used", used)
	}
	for _, p := range all {
		if err := d.Free(p); err != nil {
			t.Error(err)
		}
	}
}
