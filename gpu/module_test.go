package gpu

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// fatbin returns an image of the given header and body sizes.
func fatbin(header uint16, body uint64, length int) []byte {
	b := make([]byte, length)
	binary.LittleEndian.PutUint32(b, fatbinMagic)
	binary.LittleEndian.PutUint16(b[4:], 1)
	binary.LittleEndian.PutUint16(b[6:], header)
	binary.LittleEndian.PutUint64(b[8:], body)
	return b
}

func elf(sections uint64, entry, n uint16, length int) []byte {
	b := make([]byte, length)
	copy(b, elfMagic)
	binary.LittleEndian.PutUint64(b[40:], sections)
	binary.LittleEndian.PutUint16(b[58:], entry)
	binary.LittleEndian.PutUint16(b[60:], n)
	return b
}

func TestImages(t *testing.T) {
	d := openFake(t, newFake(1))
	two := append(fatbin(16, 84, 100), fatbin(16, 34, 50)...)
	for _, tc := range []struct {
		name  string
		image []byte
		ok    bool
	}{
		{"PTX", fakeImage, true},
		{"fatbin", fatbin(16, 84, 100), true},
		{"two fatbins", two, true},
		{"cubin", elf(100, 64, 3, 292), true},
		{"nothing", nil, false},
		{"text", []byte("int main() {}"), false},
		{"PTX with a zero byte", append(fakeImage[:len(fakeImage):len(fakeImage)], 0, 1), false},
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
		m, err := d.loadModule(tc.image)
		if (err == nil) != tc.ok || (err != nil && !errors.Is(err, ErrNoKernels)) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if err != nil {
			continue
		}
		for range 2 {
			if err := m.close(); err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
		}
	}
}

// Failures that the image is to blame for are ErrNoKernels, whether they come
// when the image is loaded or, as drivers load late, with the first function.
func TestNoKernels(t *testing.T) {
	for _, tc := range []struct {
		code result
		says string // empty: not the image's fault
	}{
		{resultNoBinaryForGPU, "no code for compute capability 9.0"},
		{resultInvalidImage, "cannot read"},
		{resultInvalidPTX, "cannot read"},
		{resultUnsupportedPTX, "newer than the driver"},
		{resultNoJIT, "does not compile"},
		{resultJITDisabled, "does not compile"},
		{resultOutOfMemory, ""},
		{700, ""},
	} {
		for _, symbol := range []string{"cuModuleLoadData", "cuModuleGetFunction"} {
			f := newFake(1)
			f.kernels["k"] = fakeKernel{}
			d := openFake(t, f)
			f.failEvery(symbol, tc.code)
			m, err := d.loadModule(fakeImage)
			if err == nil {
				_, err = m.function("k")
				m.close()
			}
			if err == nil || errors.Is(err, ErrNoKernels) != (tc.says != "") || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s, %d: %v", symbol, tc.code, err)
			}
			if e, ok := errors.AsType[*Error](err); !ok || e.Code != int(tc.code) || e.Call != symbol {
				t.Errorf("%s, %d: %v does not have CUDA's error inside", symbol, tc.code, err)
			}
		}
	}
}

func TestFunctions(t *testing.T) {
	f := newFake(1)
	f.kernels["k"] = fakeKernel{registers: 64}
	d := openFake(t, f)
	m, err := d.loadModule(fakeImage)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	_, err = m.function("absent")
	if !errors.Is(err, ErrNoKernels) || !strings.Contains(err.Error(), "absent") {
		t.Errorf("a kernel that is not there: %v", err)
	}
	k, err := m.function("k")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := k.blocksPerSM(256, 100<<10); n != 0 || err != nil {
		t.Errorf("%d blocks of 100 KiB before asking: %v", n, err)
	}
	if err := k.setSharedBytes(100 << 10); err != nil {
		t.Fatal(err)
	}
	if n, err := k.blocksPerSM(256, 100<<10); n != 2 || err != nil {
		t.Errorf("%d blocks of 100 KiB: %v", n, err)
	}
	if n, err := k.blocksPerSM(256, 0); n != 4 || err != nil {
		t.Errorf("%d blocks of 256 threads with 64 registers: %v", n, err)
	}
}
