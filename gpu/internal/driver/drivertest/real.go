package drivertest

import (
	"os"
	"testing"

	"wfagpu/gpu/internal/driver"
)

// RequireDevice opens the first real GPU until the test ends. Without a GPU it skips
// the test, or fails it if WFAGPU_REQUIRE_GPU=1.
func RequireDevice(t testing.TB) *driver.Device {
	t.Helper()
	api, err := driver.Load()
	var d *driver.Device
	if err == nil {
		d, err = driver.Open(api, 0)
	}
	if err != nil {
		if os.Getenv("WFAGPU_REQUIRE_GPU") == "1" {
			t.Fatalf("WFAGPU_REQUIRE_GPU=1: %v", err)
		}
		t.Skipf("needs a GPU: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}
