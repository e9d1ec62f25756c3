package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

// noGPUs is a machine without a driver.
var noGPUs = &hybridtest.Machine{NoDriver: fmt.Errorf("%w: none in this test", gpu.ErrNoDriver)}

// outcome is a run of the command on a machine.
type outcome struct {
	code           int
	stdout, stderr string
}

func runOn(t *testing.T, machine hybrid.System, stdin string, args ...string) outcome {
	t.Helper()
	// The variables of whoever runs the tests are for the real GPUs.
	t.Setenv(gpu.KernelsVariable, "")
	return runOnAsIs(t, hybrid.Options{System: machine}, stdin, args...)
}

// runInBackground opens the GPUs in the background, where the machine expects any.
func runInBackground(t *testing.T, machine hybrid.System, stdin string, args ...string) outcome {
	t.Helper()
	t.Setenv(gpu.KernelsVariable, "")
	return runOnAsIs(t, hybrid.Options{System: machine, Background: true}, stdin, args...)
}

// run executes one command line and returns the exit status.
func run(ctx context.Context, args []string, std streams) int {
	return runWith(ctx, defaultAlignOptions(), args, std)
}

// runOnAsIs leaves the environment as the test has set it.
func runOnAsIs(t *testing.T, engine hybrid.Options, stdin string, args ...string) outcome {
	t.Helper()
	opts := defaultAlignOptions()
	opts.engine = engine
	var stdout, stderr bytes.Buffer
	code := runWith(t.Context(), opts, args, streams{strings.NewReader(stdin), &stdout, &stderr})
	return outcome{code, stdout.String(), stderr.String()}
}

var (
	errOld    = fmt.Errorf("GPU 1 (Tesla T4): %w: compute capability 7.5, 8.0 or later is needed", gpu.ErrTooOld)
	errMemory = errors.New("GPU 0 (NVIDIA H200): 100 MiB of device memory are free, at least 200 are needed")
	errImage  = fmt.Errorf("%w: this program was built without GPU kernels", gpu.ErrNoKernels)
)
