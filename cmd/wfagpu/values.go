package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"wfagpu/align"
	"wfagpu/cigar"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
)

// value is a flag that is checked while the command line is parsed, so that a
// bad one is reported with the flag's name and before anything has started.
type value[T any] struct {
	dst   *T
	parse func(string) (T, error)
	text  string // as given, for the help's default
	kind  string // the placeholder in the help
}

// newValue returns the flag. Its default is *dst, which the help shows as text.
func newValue[T any](dst *T, kind, text string, parse func(string) (T, error)) pflag.Value {
	return &value[T]{dst: dst, parse: parse, text: text, kind: kind}
}

func (v *value[T]) Set(s string) error {
	x, err := v.parse(s)
	if err != nil {
		return err
	}
	*v.dst, v.text = x, s
	return nil
}

func (v *value[T]) String() string { return v.text }
func (v *value[T]) Type() string   { return v.kind }

// maxBatchBases keeps a typing error (-b 4000G) from reading a whole disk into
// memory.
const maxBatchBases = 4e9

// parseBases reads a number of bases: K, M and G are powers of 1000, as bases
// are counted.
func parseBases(s string) (int, error) {
	n, err := parseScaled(s, 1000)
	if err == nil && (n < 1 || n > maxBatchBases) {
		err = fmt.Errorf("%s bases are outside 1..4G", s)
	}
	return n, err
}

// parseBytes reads a number of bytes: K, M and G are powers of 1024, as
// memory is counted.
func parseBytes(s string) (int, error) {
	n, err := parseScaled(s, 1024)
	if err == nil && n < 1<<20 {
		err = fmt.Errorf("%s bytes are below the least of 1M", s)
	}
	return n, err
}

func parseScaled(s string, unit int) (int, error) {
	digits, scale := s, 1
	if s != "" {
		if i := strings.IndexByte("KMG", s[len(s)-1]&^0x20); i >= 0 {
			digits = s[:len(s)-1]
			for range i + 1 {
				scale *= unit
			}
		}
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || strings.HasPrefix(digits, "+") {
		return 0, fmt.Errorf("%q is not a whole number with an optional K, M or G behind it", s)
	}
	if n > math.MaxInt/scale {
		return 0, fmt.Errorf("%s is too large", s)
	}
	return n * scale, nil
}

// maxThreads is far above the number of CPUs of any machine; more would waste memory.
const maxThreads = 1024

func parseThreads(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxThreads {
		return 0, fmt.Errorf("want a whole number from 0 (every CPU) to %d", maxThreads)
	}
	return n, nil
}

// parseAuto returns a parser of numbers from least to most, and of auto, which is 0.
func parseAuto(least, most int) func(string) (int, error) {
	return func(s string) (int, error) {
		if s == "auto" {
			return 0, nil
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("want auto or a whole number from %d to %d", least, most)
		}
		return n, nil
	}
}

// parseMaxDistance reads --max-distance and returns the cutoff, the next larger score, or
// 0 for none.
func parseMaxDistance(s string) (int, error) {
	if s == "none" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return 0, fmt.Errorf("want none or a whole number from 0 to %d", math.MaxInt32)
	}
	return n + 1, nil
}

// parseErrorBound reads --max-error. The zero value leaves the choice to the
// engine.
func parseErrorBound(s string) (gpu.ErrorBound, error) {
	if s == "auto" {
		return gpu.ErrorBound{}, nil
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 1 {
		return gpu.ErrorBound{Score: n}, nil
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && f > 0 && f < 1 {
		return gpu.ErrorBound{Fraction: f}, nil
	}
	return gpu.ErrorBound{}, errors.New("want auto, a fraction between 0 and 1 such as 0.1, or a score of 1 or more")
}

// parseLevel reads --cpu-level. It may not be empty, as an unset variable of a
// script is.
func parseLevel(s string) (align.Level, error) {
	if s == "" {
		return "", errors.New("want auto, avx512, avx2 or go")
	}
	return align.ParseLevel(s)
}

// parseStyle reads --cigar-style.
func parseStyle(s string) (cigar.Style, error) {
	switch s {
	case "extended":
		return cigar.Extended, nil
	case "classic":
		return cigar.Classic, nil
	}
	return cigar.Extended, errors.New("want extended (= and X) or classic (M)")
}

// deviceChoice is --device: a choice, or the numbers of GPUs.
type deviceChoice struct {
	devices  hybrid.Devices
	ordinals []int
}

// auto reports whether the run needs no GPU.
func (d deviceChoice) auto() bool {
	return len(d.ordinals) == 0 && d.devices != hybrid.RequireGPU
}

func parseDevice(s string) (deviceChoice, error) {
	switch s {
	case "auto":
		return deviceChoice{devices: hybrid.Auto}, nil
	case "cpu":
		return deviceChoice{devices: hybrid.CPUOnly}, nil
	case "gpu":
		return deviceChoice{devices: hybrid.RequireGPU}, nil
	}
	var d deviceChoice
	for field := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 {
			return d, errors.New("want auto, cpu, gpu, or device numbers such as 0,1")
		}
		if slices.Contains(d.ordinals, n) {
			return d, fmt.Errorf("device %d is named twice", n)
		}
		d.ordinals = append(d.ordinals, n)
	}
	return d, nil
}
