package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
)

// engineOptions are the options of the engine of a run.
func (o *alignOptions) engineOptions() hybrid.Options {
	e := o.engine
	e.CPU = align.Options{
		Penalties: o.scoring.Penalties,
		Match:     o.scoring.Match,
		LongGap:   o.scoring.LongGap,
		Span:      o.span,
		Free:      o.free,
		ZDrop:     o.zdrop,
		ScoreOnly: o.scoreOnly,
		Threads:   o.threads,
		Memory:    o.memory,
		Approx:    o.approx(),
		Cutoff:    o.cutoff,
		Level:     o.level,
	}
	e.Devices, e.Ordinals = o.device.devices, o.device.ordinals
	e.MaxError = o.maxError
	e.Memory, e.MemoryPart = o.gpuMemory.bytes, o.gpuMemory.share
	if o.recall {
		e.Share = hybrid.NewMemoryShare(2)
		e.Background = false // a notice compares the devices of both engines
	}
	return e
}

// openEngine opens an engine. A device that is demanded and not usable, or a code
// path that this CPU does not run, is a deviceError.
func openEngine(ctx context.Context, o hybrid.Options) (*hybrid.Engine, error) {
	e, err := hybrid.Open(ctx, o)
	switch {
	case err == nil:
		return e, nil
	case ctx.Err() != nil && err == context.Cause(ctx):
		return nil, err
	}
	if _, ok := errors.AsType[hybrid.Faults](err); ok {
		return nil, withGPUHint(err)
	}
	return nil, &deviceError{err}
}

// withGPUHint adds advice to the failure of a GPU. GPUs that are demanded and not
// usable are a deviceError.
func withGPUHint(err error) error {
	if faults, ok := errors.AsType[hybrid.Faults](err); ok {
		return withHint(&deviceError{faults}, "'wfagpu devices' lists the GPUs; --device cpu aligns without one")
	}
	if _, ok := errors.AsType[*hybrid.GPUError](err); ok {
		return withHint(err, "--device cpu aligns without a GPU")
	}
	return err
}

// noteEngine prints the devices in use, unless --device cpu was given.
func (c *console) noteEngine(s hybrid.Status) {
	if text := engineText(s); text != "" {
		c.notice("aligning on %s", text)
	}
}

// engineText returns one line with the devices in use, and the reasons why other GPUs are
// not used. It is empty with --device cpu.
func engineText(s hybrid.Status) string {
	cpu := fmt.Sprintf("%s, %s", count(int64(s.CPU.Threads), "thread"), s.CPU.Level)
	switch {
	case s.Opening && !s.Beside:
		return "nothing; the run ended before a GPU was ready"
	case s.Opening:
		return fmt.Sprintf("the CPU (%s); the run ended before a GPU was needed or ready", cpu)
	case len(s.GPUs) == 0 && len(s.Faults) == 0:
		return ""
	case len(s.GPUs) == 0:
		return fmt.Sprintf("the CPU (%s); no GPU is used: %s", cpu, faultsText(s.Faults))
	}
	text := fmt.Sprintf("%s; CPU fallback: %s", gpuNames(s.GPUs), cpu)
	if s.Beside {
		text = fmt.Sprintf("%s and the CPU (%s)", gpuNames(s.GPUs), cpu)
	}
	if len(s.Faults) > 0 {
		text += fmt.Sprintf("; not used: %v", s.Faults)
	}
	return text
}

// faultsText is why no GPU is used. Most machines without a driver, or whose driver
// shows no GPU, are machines without a GPU, and the words that say so are long.
func faultsText(f hybrid.Faults) string {
	text := f.Error()
	if len(f) == 1 && errors.Is(f[0], gpu.ErrNoDevice) {
		return gpu.ErrNoDevice.Error() + " (see 'wfagpu devices')"
	}
	if errors.Is(f, gpu.ErrNoDriver) && strings.Contains(text, "libcuda") && strings.Contains(text, "No such file") {
		return gpu.ErrNoDriver.Error() + " (no libcuda)"
	}
	return text
}

// gpuNames lists GPUs by number, those of one name together.
func gpuNames(gpus []gpu.DeviceInfo) string {
	var names []string
	numbers := map[string][]string{}
	for _, info := range gpus {
		if numbers[info.Name] == nil {
			names = append(names, info.Name)
		}
		numbers[info.Name] = append(numbers[info.Name], strconv.Itoa(info.Ordinal))
	}
	for i, name := range names {
		word := "GPU"
		if len(numbers[name]) > 1 {
			word = "GPUs"
		}
		names[i] = fmt.Sprintf("%s %s (%s)", word, strings.Join(numbers[name], ","), name)
	}
	return strings.Join(names, ", ")
}

// closeEngine releases the GPUs. The results are written by now, so that a
// failure is worth a notice and no more.
func (c *console) closeEngine(e *hybrid.Engine) {
	if err := e.Close(); err != nil {
		c.notice("closing the GPU: %v", hybrid.Faults{err})
	}
}
