package gpu

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// Another process leaves 2 GB and 500 MB of the device's memory, before and while
// the engine is at work: results are the same.
func TestLittleMemoryOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	var pairs []align.Pair
	for i, s := range []simulate.Options{
		{Length: 150, ErrorRate: 0.05}, {Length: 10_000, ErrorRate: 0.1}, {Length: 50_000, ErrorRate: 0.02},
	} {
		s.Seed = uint64(90 + i)
		pairs = append(pairs, simulated(t, 4_000_000/s.Length/max(1, s.Length/20_000), s).Pairs...)
	}
	o := align.Options{Penalties: align.DefaultPenalties}
	for _, leave := range []uint64{2 << 30, 500 << 20} {
		for _, before := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d_MiB_before_%v", leave>>20, before), func(t *testing.T) {
				var e *gpuAndCPU
				if !before {
					e = openOnDevice(t, o, nil)
				}
				occupy(t, leave)
				if before {
					e = openOnDevice(t, o, nil)
				}
				b := &align.Batch{Pairs: pairs}
				start := time.Now()
				if err := e.AlignBatch(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				t.Logf("%.3f s, %+v", time.Since(start).Seconds(), e.GPU.Stats())
				wantAsOnCPU(t, o, b)
			})
		}
	}
}

// occupied is set in a process that does nothing but hold device memory.
const occupied = "WFAGPU_TEST_LEAVE_BYTES"

// occupy has another process take all but some of the free device memory until
// the test ends.
func occupy(t *testing.T, leave uint64) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestOccupy$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", occupied, leave))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the process that held memory: %v", err)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || line != "holding\n" {
		t.Fatalf("the process that should hold memory says %q (%v)", line, err)
	}
}

// TestOccupy is the other process of occupy.
func TestOccupy(t *testing.T) {
	leave, err := strconv.ParseUint(os.Getenv(occupied), 10, 64)
	if err != nil {
		t.Skipf("%s is not set: this is no test but a process of another one", occupied)
	}
	api, err := driver.Load()
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.Open(api, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	free, _, err := d.Memory()
	if err != nil {
		t.Fatal(err)
	}
	if free > leave {
		p, err := d.Alloc(int(free - leave))
		if err != nil {
			t.Fatal(err)
		}
		defer d.Free(p)
	}
	fmt.Println("holding")
	io.Copy(io.Discard, os.Stdin)
}
