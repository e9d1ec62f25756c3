package driver

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

// Names come from the driver, or from our table if the driver knows none.
func TestErrorNames(t *testing.T) {
	name := "CUDA_ERROR_OF_THE_FUTURE"
	api := &API{
		GetErrorName:   func(Result) string { return name },
		GetErrorString: func(Result) string { return "" },
	}
	e := api.check("cuInit", 2).(*Error)
	if e.Name != "CUDA_ERROR_OF_THE_FUTURE" || e.Text != "out of memory" {
		t.Errorf("%+v", e)
	}
	name = ""
	e = api.check("cuInit", 304).(*Error)
	if e.Name != "CUDA_ERROR_OPERATING_SYSTEM" || e.Text == "" {
		t.Errorf("%+v", e)
	}
	if err := api.check("cuInit", Success); err != nil {
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
