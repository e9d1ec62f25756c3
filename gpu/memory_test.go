package gpu

import (
	"errors"
	"testing"
)

func TestOutOfMemory(t *testing.T) {
	f := newFake(1)
	f.hostLimit = 1 << 20
	d := openFake(t, f)
	p, err := d.alloc(1 << 29)
	if err != nil {
		t.Fatal(err)
	}
	if free, total, err := d.memory(); free != 1<<29 || total != 1<<30 || err != nil {
		t.Errorf("%d of %d free: %v", free, total, err)
	}
	if _, err := d.alloc(1<<29 + 1); !isOutOfMemory(err) {
		t.Errorf("device: %v", err)
	}
	if _, err := d.allocPinned(1<<20 + 1); !isOutOfMemory(err) {
		t.Errorf("host: %v", err)
	}
	if err := d.free(p); err != nil {
		t.Error(err)
	}
	if free, _, _ := d.memory(); free != 1<<30 {
		t.Errorf("%d free after all was freed", free)
	}
	for _, err := range []error{nil, errors.New("x"), &Error{Code: 700}, ErrNoDevice} {
		if isOutOfMemory(err) {
			t.Errorf("%v is taken for out of memory", err)
		}
	}
}

// Sizes that are no sizes, and freeing nothing.
func TestNothingToAllocate(t *testing.T) {
	d := openFake(t, newFake(1))
	for _, n := range []int{0, -1} {
		if _, err := d.alloc(n); err == nil {
			t.Errorf("%d bytes of device memory", n)
		}
		if _, err := d.allocPinned(n); err == nil {
			t.Errorf("%d bytes of pinned memory", n)
		}
	}
	if err := errors.Join(d.free(0), d.freePinned(nil)); err != nil {
		t.Error(err)
	}
}

// Copies reach exactly the bytes that were named. Outside of an allocation, or
// with host memory that is not pinned, they fail; so does freeing twice.
func TestCopies(t *testing.T) {
	f := newFake(1)
	s := newFakeStream(t, f)
	d := s.d
	p, err := d.alloc(100)
	if err != nil {
		t.Fatal(err)
	}
	host, err := d.allocPinned(100)
	if err != nil {
		t.Fatal(err)
	}
	for i := range host {
		host[i] = byte(i + 1)
	}
	if err := errors.Join(s.toDevice(p+10, host[20:30]), s.fill(p+15, 0xee, 2), s.toHost(host[50:60], p+10)); err != nil {
		t.Fatal(err)
	}
	if got, want := string(host[49:61]), "\x32\x15\x16\x17\x18\x19\xee\xee\x1c\x1d\x1e\x3d"; got != want {
		t.Errorf("%q came back, want %q", got, want)
	}
	if b := f.memoryAt(p, 100); b[9] != 0 || b[10] != 21 || b[19] != 30 || b[20] != 0 {
		t.Errorf("device memory is %v", b)
	}
	if err := errors.Join(s.toDevice(0, nil), s.toHost(nil, 0), s.fill(0, 1, 0)); err != nil {
		t.Errorf("copies of nothing: %v", err)
	}
	for name, err := range map[string]error{
		"behind the end": s.toDevice(p+1, host),
		"before":         s.toHost(host, p-1),
		"no allocation":  s.toHost(host[:1], 12345),
		"fill too much":  s.fill(p, 0, 101),
		"fill negative":  s.fill(p, 0, -1),
		"Go memory":      s.toDevice(p, make([]byte, 10)),
		"into Go memory": s.toHost(make([]byte, 10), p),
		"inside":         d.free(p + 1),
		"pinned, inside": d.freePinned(host[1:]),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := errors.Join(d.free(p), d.freePinned(host[:50])); err != nil {
		t.Error(err)
	}
	if d.free(p) == nil || d.freePinned(host) == nil {
		t.Error("freed twice")
	}
}
