package gpu

import (
	"errors"
	"testing"
)

func TestErrorText(t *testing.T) {
	for _, tc := range []struct {
		err  Error
		want string
	}{
		{Error{"cuMemAlloc", 2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}, "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY: out of memory (2)"},
		{Error{"cuMemAlloc", 2, "CUDA_ERROR_OUT_OF_MEMORY", ""}, "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2)"},
		{Error{"cuMemAlloc", 12345, "", ""}, "cuMemAlloc: CUDA error 12345"},
	} {
		if got := tc.err.Error(); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// Names come from the driver, or from our table where the driver knows none.
func TestErrorNames(t *testing.T) {
	f := newFake(1)
	drv := f.driver()
	drv.getErrorName = func(result) string { return "CUDA_ERROR_OF_THE_FUTURE" }
	e := drv.check("cuInit", 2).(*Error)
	if e.Name != "CUDA_ERROR_OF_THE_FUTURE" || e.Text != "out of memory" {
		t.Errorf("%+v", e)
	}
	f = newFake(1)
	f.mute = true
	e = f.driver().check("cuInit", 304).(*Error)
	if e.Name != "CUDA_ERROR_OPERATING_SYSTEM" || e.Text == "" {
		t.Errorf("%+v", e)
	}
	if err := drv.check("cuInit", success); err != nil {
		t.Errorf("success is %v", err)
	}
}

func TestErrorIs(t *testing.T) {
	for code, want := range map[int]error{100: ErrNoDevice, 101: ErrNoDevice, 34: ErrNoDriver, 803: ErrNoDriver, 35: ErrTooOld, 2: nil, 999: nil} {
		for _, sentinel := range []error{ErrNoDriver, ErrNoDevice, ErrTooOld, ErrNoKernels} {
			if errors.Is(&Error{Code: code}, sentinel) != (sentinel == want) {
				t.Errorf("code %d: errors.Is(%v) is %v", code, sentinel, sentinel != want)
			}
		}
	}
}
