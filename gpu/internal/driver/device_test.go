package driver_test

import (
	"errors"
	"strings"
	"testing"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

func TestListDevices(t *testing.T) {
	f := drivertest.New(3)
	f.Devices[1].Major, f.Devices[1].Minor = 7, 5
	infos, err := driver.List(f.API())
	if err != nil {
		t.Fatal(err)
	}
	if len(infos) != 3 {
		t.Fatalf("%d devices, want 3", len(infos))
	}
	want := driver.Info{
		Ordinal: 2, Name: "Fake H200 #2", UUID: "GPU-01234567-89ab-cdef-0000-000000000002",
		TotalMemory: 1 << 30, FreeMemory: 1 << 30, SMs: 132, Major: 9, DriverVersion: 13000,
		SharedPerBlockOptin: 227 << 10, SharedPerSM: 228 << 10, L2: 60 << 20, ClockKHz: 1980000,
		RegistersPerSM: 65536, ThreadsPerSM: 2048,
	}
	if infos[2] != want {
		t.Errorf("got  %+v\nwant %+v", infos[2], want)
	}
	for i, old := range []bool{false, true, false} {
		if err := infos[i].Usable(); errors.Is(err, driver.ErrTooOld) != old || (err == nil) == old {
			t.Errorf("device %d: Usable() = %v", i, err)
		}
	}
	f.CheckReleased(t)
}

// A GPU that is there and cannot be opened is listed with the reason, and the
// others are listed as ever.
func TestListBusyDevice(t *testing.T) {
	f := drivertest.New(1)
	f.FailEvery("cuDevicePrimaryCtxRetain", driver.ResultDeviceUnavailable)
	infos, err := driver.List(f.API())
	if err != nil {
		t.Fatal(err)
	}
	if len(infos) != 1 || infos[0].Name == "" || infos[0].TotalMemory == 0 {
		t.Fatalf("got %+v", infos)
	}
	err = infos[0].Usable()
	if e, ok := errors.AsType[*driver.Error](err); !ok || e.Code != 46 || !strings.Contains(err.Error(), "another process") {
		t.Errorf("Usable() = %v", err)
	}
	f.CheckReleased(t)
}

func TestNoDevice(t *testing.T) {
	if _, err := driver.List(drivertest.New(0).API()); !errors.Is(err, driver.ErrNoDevice) {
		t.Errorf("no devices: %v", err)
	}
	f := drivertest.New(2)
	for _, ordinal := range []int{2, -1} {
		if _, err := driver.Open(f.API(), ordinal); !errors.Is(err, driver.ErrNoDevice) {
			t.Errorf("device %d of 2: %v", ordinal, err)
		}
	}
	f.CheckReleased(t)
}

func TestOldDevice(t *testing.T) {
	for _, tc := range []struct {
		major, minor int32
		old          bool
	}{{7, 5, true}, {8, 0, false}, {8, 9, false}, {12, 0, false}} {
		f := drivertest.New(1)
		f.Devices[0].Major, f.Devices[0].Minor = tc.major, tc.minor
		d, err := driver.Open(f.API(), 0)
		if errors.Is(err, driver.ErrTooOld) != tc.old || (err == nil) == tc.old {
			t.Errorf("%d.%d: %v", tc.major, tc.minor, err)
		}
		if err == nil {
			d.Close()
		} else if !strings.Contains(err.Error(), "7.5") {
			t.Errorf("%v does not say what the GPU has", err)
		}
		f.CheckReleased(t)
	}
}

// Every way in which a driver may refuse to start is one of the sentinel errors,
// keeps CUDA's own, and says what to look at.
func TestDriverDoesNotStart(t *testing.T) {
	for _, tc := range []struct {
		code driver.Result
		is   error
		says string
	}{
		{driver.ResultStubLibrary, driver.ErrNoDriver, "stand-in for linking"},
		{driver.ResultInsufficientDriver, driver.ErrTooOld, "updated"},
		{driver.ResultNewerDriverNeeded, driver.ErrTooOld, "updated"},
		{driver.ResultNoDevice, driver.ErrNoDevice, "CUDA_VISIBLE_DEVICES"},
		{driver.ResultOperatingSystem, driver.ErrNoDriver, "/dev/nvidia"},
		{driver.ResultNotPermitted, driver.ErrNoDriver, "/dev/nvidia"},
		{driver.ResultSystemNotReady, driver.ErrNoDriver, "Fabric Manager"},
		{driver.ResultDriverMismatch, driver.ErrNoDriver, "kernel module"},
		{driver.ResultCompatNotSupported, driver.ErrNoDriver, "compatibility"},
		{driver.ResultUnknown, driver.ErrNoDriver, "nvidia-uvm"},
		{12345, driver.ErrNoDriver, "CUDA error 12345"},
	} {
		f := drivertest.New(1)
		f.FailEvery("cuInit", tc.code)
		err := f.Table().Start()
		if err == nil {
			t.Errorf("%d: the driver starts", tc.code)
			continue
		}
		for _, sentinel := range []error{driver.ErrNoDriver, driver.ErrNoDevice, driver.ErrTooOld, driver.ErrNoKernels} {
			if errors.Is(err, sentinel) != (sentinel == tc.is) {
				t.Errorf("%d: %v: errors.Is(%v) is %v", tc.code, err, sentinel, sentinel != tc.is)
			}
		}
		e, ok := errors.AsType[*driver.Error](err)
		if !ok || e.Code != int(tc.code) || e.Call != "cuInit" || e.Name != driver.ResultName(tc.code) {
			t.Errorf("%d: %#v in %v", tc.code, e, err)
		}
		if !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%d: %q does not mention %q", tc.code, err, tc.says)
		}
	}
}

// A closed device refuses to work, and may be closed again.
func TestClosedDevice(t *testing.T) {
	f := drivertest.New(1)
	d, err := driver.Open(f.API(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := d.Alloc(1); err == nil {
		t.Error("a closed device allocates")
	}
	f.CheckReleased(t)
}

// The primary context is shared and counted: of two openings each is closed for
// itself.
func TestOpenTwice(t *testing.T) {
	f := drivertest.New(1)
	a, b := f.Open(t), f.Open(t)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := b.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Free(p); err != nil {
		t.Fatal(err)
	}
}
