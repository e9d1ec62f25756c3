package gpu

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// requireDevice opens the first real GPU until the test ends. Without one the
// test is skipped, or fails where WFAGPU_REQUIRE_GPU=1 promises one.
func requireDevice(t testing.TB) *device {
	t.Helper()
	drv, err := loadDriver()
	var d *device
	if err == nil {
		d, err = openDevice(drv, 0)
	}
	if err != nil {
		if os.Getenv("WFAGPU_REQUIRE_GPU") == "1" {
			t.Fatalf("WFAGPU_REQUIRE_GPU=1: %v", err)
		}
		t.Skipf("needs a GPU: %v", err)
	}
	t.Cleanup(func() {
		if err := d.close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func TestListDevices(t *testing.T) {
	f := newFake(3)
	f.devices[1].major, f.devices[1].minor = 7, 5
	infos, err := listDevices(f.driver())
	if err != nil {
		t.Fatal(err)
	}
	if len(infos) != 3 {
		t.Fatalf("%d devices, want 3", len(infos))
	}
	want := DeviceInfo{
		Ordinal: 2, Name: "Fake H200 #2", UUID: "GPU-01234567-89ab-cdef-0000-000000000002",
		TotalMemory: 1 << 30, FreeMemory: 1 << 30, SMs: 132, Major: 9, DriverVersion: 13000,
		SharedPerBlockOptin: 227 << 10, SharedPerSM: 228 << 10, L2: 60 << 20, ClockKHz: 1980000,
		RegistersPerSM: 65536, ThreadsPerSM: 2048,
	}
	if infos[2] != want {
		t.Errorf("got  %+v\nwant %+v", infos[2], want)
	}
	for i, old := range []bool{false, true, false} {
		if err := infos[i].Usable(); errors.Is(err, ErrTooOld) != old || (err == nil) == old {
			t.Errorf("device %d: Usable() = %v", i, err)
		}
	}
	f.expectNothingLeft(t)
}

// A GPU that is there and cannot be opened is listed with the reason, and the
// others are listed as ever.
func TestListBusyDevice(t *testing.T) {
	f := newFake(1)
	f.failEvery("cuDevicePrimaryCtxRetain", resultDeviceUnavailable)
	infos, err := listDevices(f.driver())
	if err != nil {
		t.Fatal(err)
	}
	if len(infos) != 1 || infos[0].Name == "" || infos[0].TotalMemory == 0 {
		t.Fatalf("got %+v", infos)
	}
	err = infos[0].Usable()
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != 46 || !strings.Contains(err.Error(), "another process") {
		t.Errorf("Usable() = %v", err)
	}
	f.expectNothingLeft(t)
}

func TestNoDevice(t *testing.T) {
	if _, err := listDevices(newFake(0).driver()); !errors.Is(err, ErrNoDevice) {
		t.Errorf("no devices: %v", err)
	}
	f := newFake(2)
	for _, ordinal := range []int{2, -1} {
		if _, err := openDevice(f.driver(), ordinal); !errors.Is(err, ErrNoDevice) {
			t.Errorf("device %d of 2: %v", ordinal, err)
		}
	}
	f.expectNothingLeft(t)
}

func TestOldDevice(t *testing.T) {
	for _, tc := range []struct {
		major, minor int32
		old          bool
	}{{7, 5, true}, {8, 0, false}, {8, 9, false}, {12, 0, false}} {
		f := newFake(1)
		f.devices[0].major, f.devices[0].minor = tc.major, tc.minor
		d, err := openDevice(f.driver(), 0)
		if errors.Is(err, ErrTooOld) != tc.old || (err == nil) == tc.old {
			t.Errorf("%d.%d: %v", tc.major, tc.minor, err)
		}
		if err == nil {
			d.close()
		} else if !strings.Contains(err.Error(), "7.5") {
			t.Errorf("%v does not say what the GPU has", err)
		}
		f.expectNothingLeft(t)
	}
}

// Every way in which a driver may refuse to start is one of the sentinel errors,
// keeps CUDA's own, and says what to look at.
func TestDriverDoesNotStart(t *testing.T) {
	for _, tc := range []struct {
		code result
		is   error
		says string
	}{
		{resultStubLibrary, ErrNoDriver, "stand-in for linking"},
		{resultInsufficientDriver, ErrTooOld, "updated"},
		{resultNewerDriverNeeded, ErrTooOld, "updated"},
		{resultNoDevice, ErrNoDevice, "CUDA_VISIBLE_DEVICES"},
		{resultOperatingSystem, ErrNoDriver, "/dev/nvidia"},
		{resultNotPermitted, ErrNoDriver, "/dev/nvidia"},
		{resultSystemNotReady, ErrNoDriver, "Fabric Manager"},
		{resultDriverMismatch, ErrNoDriver, "kernel module"},
		{resultCompatNotSupported, ErrNoDriver, "compatibility"},
		{resultUnknown, ErrNoDriver, "nvidia-uvm"},
		{12345, ErrNoDriver, "CUDA error 12345"},
	} {
		f := newFake(1)
		f.failEvery("cuInit", tc.code)
		err := f.table().start()
		if err == nil {
			t.Errorf("%d: the driver starts", tc.code)
			continue
		}
		for _, sentinel := range []error{ErrNoDriver, ErrNoDevice, ErrTooOld, ErrNoKernels} {
			if errors.Is(err, sentinel) != (sentinel == tc.is) {
				t.Errorf("%d: %v: errors.Is(%v) is %v", tc.code, err, sentinel, sentinel != tc.is)
			}
		}
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != int(tc.code) || e.Call != "cuInit" || e.Name != resultTexts[tc.code].name {
			t.Errorf("%d: %#v in %v", tc.code, e, err)
		}
		if !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%d: %q does not mention %q", tc.code, err, tc.says)
		}
	}
}

// A closed device refuses to work, and may be closed again.
func TestClosedDevice(t *testing.T) {
	f := newFake(1)
	d, err := openDevice(f.driver(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := d.alloc(1); err == nil {
		t.Error("a closed device allocates")
	}
	f.expectNothingLeft(t)
}

// The primary context is shared and counted: of two openings each is closed for
// itself.
func TestOpenTwice(t *testing.T) {
	f := newFake(1)
	a, b := openFake(t, f), openFake(t, f)
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
	p, err := b.alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.free(p); err != nil {
		t.Fatal(err)
	}
}

// What the real driver does with memory, copies, events and handles.
func TestRealDevice(t *testing.T) {
	d := requireDevice(t)
	t.Logf("%+v", d.info)
	if i := d.info; i.Name == "" || i.SMs < 1 || i.TotalMemory < 1<<30 || i.DriverVersion < 11000 ||
		i.SharedPerBlockOptin < 48<<10 || i.ThreadsPerSM < 1024 || i.RegistersPerSM < 1<<15 || i.L2 < 1<<20 {
		t.Errorf("unlikely: %+v", i)
	}
	free, total, err := d.memory()
	if err != nil || free == 0 || free > total || total > d.info.TotalMemory {
		t.Errorf("memory: %d of %d free, %d in all: %v", free, total, d.info.TotalMemory, err)
	}

	const size = 64 << 20
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	out, err := d.allocPinned(size)
	check(err)
	back, err := d.allocPinned(size)
	check(err)
	p, err := d.alloc(2 * size)
	check(err)
	s, err := d.newStream()
	check(err)
	start, err := d.newEvent()
	check(err)
	end, err := d.newEvent()
	check(err)
	for i := range out {
		out[i] = byte(i * 7 >> 3)
	}

	began := time.Now()
	check(start.record(s))
	check(s.fill(p, 0xa5, 2*size))
	check(s.toDevice(p+100, out[:size-100]))
	check(s.toHost(back, p))
	check(end.record(s))
	check(s.wait(t.Context()))
	wall := time.Since(began)
	took, err := end.since(start)
	check(err)
	if took <= 0 || took > wall {
		t.Errorf("the device took %v, the clock on the wall says %v", took, wall)
	}
	if !bytes.Equal(back[:100], bytes.Repeat([]byte{0xa5}, 100)) || !bytes.Equal(back[100:], out[:size-100]) {
		t.Error("the bytes that came back are others")
	}
	t.Logf("%d MiB there and back in %v", size>>20, took)

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	check(s.toHost(back, p+size))
	if err := s.wait(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("wait with a cancelled context: %v", err)
	}
	if !bytes.Equal(back[size-100:], bytes.Repeat([]byte{0xa5}, 100)) {
		t.Error("wait returned before the copy was done")
	}
	check(s.synchronize())

	// Failures that do no harm.
	if _, err := d.alloc(int(total) * 2); !isOutOfMemory(err) {
		t.Errorf("twice the memory there is: %v", err)
	}
	for _, image := range []string{"", "hello", ".version 99.0\n.target sm_80\n"} {
		if _, err := d.loadModule([]byte(image)); !errors.Is(err, ErrNoKernels) {
			t.Errorf("image %q: %v", image, err)
		}
	}

	check(end.close())
	check(start.close())
	check(s.close())
	check(d.free(p))
	check(d.freePinned(back))
	check(d.freePinned(out))
}

// The same kernel as everywhere: out[i] = scale * i for i < n, with scale and n
// behind a pointer, in one struct of 16 bytes passed by value.
const scalePTX = `.version 7.0
.target sm_80
.address_size 64
.visible .entry scale(.param .align 8 .b8 p[16])
{
	.reg .pred %q;
	.reg .b32 %i, %n, %s, %b, %d;
	.reg .b64 %o, %a;
	ld.param.u64 %o, [p];
	ld.param.u32 %n, [p+8];
	ld.param.u32 %s, [p+12];
	mov.u32 %b, %ctaid.x;
	mov.u32 %d, %ntid.x;
	mov.u32 %i, %tid.x;
	mad.lo.u32 %i, %b, %d, %i;
	setp.ge.u32 %q, %i, %n;
	@%q bra done;
	cvta.to.global.u64 %o, %o;
	mul.wide.u32 %a, %i, 4;
	add.s64 %a, %o, %a;
	mul.lo.u32 %i, %i, %s;
	st.global.u32 [%a], %i;
done:
	ret;
}
`

// A kernel of our own, from PTX, launched both ways.
func TestRealLaunch(t *testing.T) {
	testScale(t, requireDevice(t))
}

// CUDA_VISIBLE_DEVICES hides GPUs from us as from every program.
func TestRealVisibleDevices(t *testing.T) {
	if os.Getenv("WFAGPU_TEST_HIDDEN") == "1" {
		_, err := Devices()
		if !errors.Is(err, ErrNoDevice) {
			t.Errorf("with every GPU hidden: %v", err)
		}
		return
	}
	requireDevice(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestRealVisibleDevices$", "-test.v")
	cmd.Env = append(os.Environ(), "WFAGPU_TEST_HIDDEN=1", "CUDA_VISIBLE_DEVICES=-1")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS")) {
		t.Errorf("%v\n%s", err, out)
	}
}
