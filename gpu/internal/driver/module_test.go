package driver_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// fatbin returns an image of the given header and body sizes.
func fatbin(header uint16, body uint64, length int) []byte {
	b := make([]byte, length)
	binary.LittleEndian.PutUint32(b, 0xba55ed50)
	binary.LittleEndian.PutUint16(b[4:], 1)
	binary.LittleEndian.PutUint16(b[6:], header)
	binary.LittleEndian.PutUint64(b[8:], body)
	return b
}

func elf(sections uint64, entry, n uint16, length int) []byte {
	b := make([]byte, length)
	copy(b, "\x7fELF")
	binary.LittleEndian.PutUint64(b[40:], sections)
	binary.LittleEndian.PutUint16(b[58:], entry)
	binary.LittleEndian.PutUint16(b[60:], n)
	return b
}

func TestImages(t *testing.T) {
	d := drivertest.New(1).Open(t)
	two := append(fatbin(16, 84, 100), fatbin(16, 34, 50)...)
	for _, tc := range []struct {
		name  string
		image []byte
		ok    bool
	}{
		{"PTX", drivertest.Image, true},
		{"fatbin", fatbin(16, 84, 100), true},
		{"fatbin at an odd address", append([]byte{0}, fatbin(16, 84, 100)...)[1:], true},
		{"two fatbins", two, true},
		{"cubin", elf(100, 64, 3, 292), true},
		{"nothing", nil, false},
		{"text", []byte("int main() {}"), false},
		{"PTX with a zero byte", append(drivertest.Image[:len(drivertest.Image):len(drivertest.Image)], 0, 1), false},
		{"fatbin cut by one byte", fatbin(16, 85, 100), false},
		{"fatbin cut behind its magic", fatbin(16, 0, 100)[:5], false},
		{"fatbin without a header", fatbin(0, 10, 100), false},
		{"fatbin of a huge header", fatbin(200, 0, 100), false},
		{"fatbin of a huge body", fatbin(16, 1<<64-8, 100), false},
		{"the second fatbin cut", two[:149], false},
		{"cubin cut by one byte", elf(100, 64, 3, 291), false},
		{"cubin of huge offset", elf(1<<64-8, 64, 3, 500), false},
		{"cubin cut in its header", elf(0, 0, 0, 64)[:63], false},
	} {
		m, err := d.LoadModule(tc.image)
		if (err == nil) != tc.ok || (err != nil && !errors.Is(err, driver.ErrNoKernels)) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if err != nil {
			continue
		}
		for range 2 {
			if err := m.Close(); err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
		}
	}
}

// Failures that the image is to blame for are driver.ErrNoKernels, whether they come
// when the image is loaded or, as drivers load late, with the first function.
func TestNoKernels(t *testing.T) {
	for _, tc := range []struct {
		code driver.Result
		says string // empty: not the image's fault
	}{
		{driver.ResultNoBinaryForGPU, "no code for compute capability 9.0"},
		{driver.ResultInvalidImage, "cannot read"},
		{driver.ResultInvalidPTX, "cannot read"},
		{driver.ResultUnsupportedPTX, "newer than the driver"},
		{driver.ResultNoJIT, "does not compile"},
		{driver.ResultJITDisabled, "does not compile"},
		{driver.ResultOutOfMemory, ""},
		{700, ""},
	} {
		for _, symbol := range []string{"cuModuleLoadData", "cuModuleGetFunction"} {
			f := drivertest.New(1)
			f.Kernels["k"] = drivertest.Kernel{}
			d := f.Open(t)
			f.FailEvery(symbol, tc.code)
			m, err := d.LoadModule(drivertest.Image)
			if err == nil {
				_, err = m.Function("k")
				m.Close()
			}
			if err == nil || errors.Is(err, driver.ErrNoKernels) != (tc.says != "") || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s, %d: %v", symbol, tc.code, err)
			}
			if e, ok := errors.AsType[*driver.Error](err); !ok || e.Code != int(tc.code) || e.Call != symbol {
				t.Errorf("%s, %d: %v does not have CUDA's error inside", symbol, tc.code, err)
			}
		}
	}
}

// The parts of an image are loaded in turn, each when a function is in none of those before.
func TestImageParts(t *testing.T) {
	f := drivertest.New(1)
	for name, size := range map[string]int{"first": 96, "second": 160, "third": 64, "last": 64} {
		f.Kernels[name] = drivertest.Kernel{In: size}
	}
	d := f.Open(t)
	m, err := d.LoadModule(slices.Concat(fatbin(16, 80, 96), fatbin(32, 128, 160), fatbin(16, 48, 64)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		loaded int
	}{{"first", 1}, {"second", 2}, {"first", 2}, {"third", 3}, {"absent", 3}, {"last", 3}, {"second", 3}} {
		_, err := m.Function(tc.name)
		if absent := tc.name == "absent"; errors.Is(err, driver.ErrNoKernels) != absent || err == nil == absent {
			t.Errorf("%s: %v", tc.name, err)
		}
		if n := count(f, "cuModuleLoadData"); n != tc.loaded {
			t.Errorf("%s: %d parts are loaded, want %d", tc.name, n, tc.loaded)
		}
	}
	if err := m.Close(); err != nil || count(f, "cuModuleUnload") != 3 {
		t.Errorf("%d parts are unloaded: %v", count(f, "cuModuleUnload"), err)
	}
}

func TestFunctions(t *testing.T) {
	f := drivertest.New(1)
	f.Kernels["k"] = drivertest.Kernel{Registers: 64}
	d := f.Open(t)
	m, err := d.LoadModule(drivertest.Image)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	_, err = m.Function("absent")
	if !errors.Is(err, driver.ErrNoKernels) || !strings.Contains(err.Error(), "absent") {
		t.Errorf("a kernel that is not there: %v", err)
	}
	k, err := m.Function("k")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := k.BlocksPerSM(256, 100<<10); err == nil || !strings.Contains(err.Error(), "kernel k") {
		t.Errorf("%d blocks of 100 KiB before SetSharedBytes: %v", n, err)
	}
	if err := k.SetSharedBytes(100 << 10); err != nil {
		t.Fatal(err)
	}
	f.ClearLog()
	for range 3 { // the driver is asked once for each of them
		if n, err := k.BlocksPerSM(256, 100<<10); n != 2 || err != nil {
			t.Errorf("%d blocks of 100 KiB: %v", n, err)
		}
		if n, err := k.BlocksPerSM(256, 0); n != 4 || err != nil {
			t.Errorf("%d blocks of 256 threads with 64 registers: %v", n, err)
		}
	}
	if log := f.Log(); len(log) != 4 { // two with their contexts
		t.Errorf("calls: %v", log)
	}
}
