//go:build !amd64

package align

func simdLevels() []Level { return nil }

func kernelsFor(Level) *kernels { return goKernels }
