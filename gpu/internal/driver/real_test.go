package driver_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// What the real driver does with memory, copies and handles.
func TestRealDevice(t *testing.T) {
	d := drivertest.RequireDevice(t)
	t.Logf("%+v", d.Info)
	if i := d.Info; i.Name == "" || i.SMs < 1 || i.TotalMemory < 1<<30 || i.DriverVersion < 11000 ||
		i.SharedPerBlockOptin < 48<<10 || i.ThreadsPerSM < 1024 || i.RegistersPerSM < 1<<15 || i.L2 < 1<<20 {
		t.Errorf("unlikely: %+v", i)
	}
	free, total, err := d.Memory()
	if err != nil || free == 0 || free > total || total > d.Info.TotalMemory {
		t.Errorf("memory: %d of %d free, %d in all: %v", free, total, d.Info.TotalMemory, err)
	}

	const size = 64 << 20
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	out, err := d.AllocPinned(size)
	check(err)
	back, err := d.AllocPinned(size)
	check(err)
	p, err := d.Alloc(2 * size)
	check(err)
	s, err := d.NewStream()
	check(err)
	for i := range out {
		out[i] = byte(i * 7 >> 3)
	}

	began := time.Now()
	check(s.Fill(p, 0xa5, 2*size))
	check(s.ToDevice(p+100, out[:size-100]))
	check(s.ToHost(back, p))
	check(s.Wait(t.Context()))
	took := time.Since(began)
	if !bytes.Equal(back[:100], bytes.Repeat([]byte{0xa5}, 100)) || !bytes.Equal(back[100:], out[:size-100]) {
		t.Error("the bytes that came back are others")
	}
	t.Logf("%d MiB there and back in %v", size>>20, took)

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	check(s.ToHost(back, p+size))
	if err := s.Wait(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("wait with a cancelled context: %v", err)
	}
	if !bytes.Equal(back[size-100:], bytes.Repeat([]byte{0xa5}, 100)) {
		t.Error("wait returned before the copy was done")
	}
	check(s.Synchronize())

	// Failures that do no harm.
	if _, err := d.Alloc(int(total) * 2); !driver.IsOutOfMemory(err) {
		t.Errorf("twice the memory there is: %v", err)
	}
	for _, image := range []string{"", "hello", ".version 99.0\n.target sm_80\n"} {
		if _, err := d.LoadModule([]byte(image)); !errors.Is(err, driver.ErrNoKernels) {
			t.Errorf("image %q: %v", image, err)
		}
	}

	check(s.Close())
	check(d.Free(p))
	check(d.FreePinned(back))
	check(d.FreePinned(out))
}

// A kernel of the test's own, from PTX.
func TestRealLaunch(t *testing.T) {
	testScale(t, drivertest.RequireDevice(t))
}

// The device's clock and the host's agree on how long a kernel takes.
func TestRealClock(t *testing.T) {
	drivertest.RequireDevice(t)
	api, err := driver.Load()
	if err != nil {
		t.Fatal(err)
	}
	clock, err := drivertest.NewClock(api)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := clock.Took(); err == nil {
		t.Error("a time without a launch")
	}
	d, err := driver.Open(clock.API, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for range 2 {
		clock.Reset()
		began := time.Now()
		testScale(t, d)
		wall := time.Since(began)
		if took, err := clock.Took(); err != nil || took <= 0 || took > wall {
			t.Errorf("the device took %v, the host %v: %v", took, wall, err)
		}
	}
}

// CUDA_VISIBLE_DEVICES hides GPUs from us as from every program.
func TestRealVisibleDevices(t *testing.T) {
	if os.Getenv("WFAGPU_TEST_HIDDEN") == "1" {
		api, err := driver.Load()
		if err == nil {
			_, err = driver.Count(api)
		}
		if !errors.Is(err, driver.ErrNoDevice) {
			t.Errorf("with every GPU hidden: %v", err)
		}
		return
	}
	drivertest.RequireDevice(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestRealVisibleDevices$", "-test.v")
	cmd.Env = append(os.Environ(), "WFAGPU_TEST_HIDDEN=1", "CUDA_VISIBLE_DEVICES=-1")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS")) {
		t.Errorf("%v\n%s", err, out)
	}
}
