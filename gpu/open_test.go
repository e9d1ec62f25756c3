package gpu

import (
	"context"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
)

// neededMemory is what Open says that it needs, in MiB.
func neededMemory(t testing.TB, o Options) int {
	t.Helper()
	g := newFakeGPU(t, 10)
	_, err := open(g.API(), fakeImage, o)
	if err == nil {
		t.Fatal("10 MiB are enough")
	}
	g.CheckReleased(t)
	m := regexp.MustCompile(`\b10 MiB .*at least (\d+) are needed`).FindStringSubmatch(err.Error())
	if m == nil {
		t.Fatalf("the error does not say how much memory is needed: %v", err)
	}
	least, _ := strconv.Atoi(m[1])
	return least
}

// Open takes a GPU with the memory that its error asks for, and refuses one with
// clearly less.
func TestLeastMemoryOnFake(t *testing.T) {
	least := neededMemory(t, Options{})
	g := newFakeGPU(t, least-2)
	if e, err := open(g.API(), fakeImage, Options{}); err == nil {
		t.Errorf("%d MiB are said to be needed, and %d are enough", least, least-2)
		e.Close()
	}
	openOnFake(t, newFakeGPU(t, least), Options{})
}

// When Options.Memory or MemoryPart is too little, the error names that limit.
func TestMemoryOptionErrorOnFake(t *testing.T) {
	for _, o := range []Options{{Memory: 10 << 20}, {MemoryPart: 0.01}, {Memory: 10 << 20, MemoryPart: 0.5}, {Memory: 100 << 20, MemoryPart: 0.01}} {
		g := newFakeGPU(t, 1000)
		_, err := open(g.API(), fakeImage, o)
		if err == nil || !regexp.MustCompile(`: (9|10) MiB of device memory are allowed`).MatchString(err.Error()) {
			t.Errorf("10 MiB are allowed, 1000 are free: %v", err)
		}
	}
}

// Open refuses what it cannot work with, and releases everything.
func TestOpenRefusesOnFake(t *testing.T) {
	for name, o := range map[string]Options{
		"penalties": {Penalties: align.Penalties{Mismatch: -1, GapOpen: 1, GapExtend: 1}},
		"device":    {Device: 7},
		"memory":    {Memory: 1 << 20},
		"negative":  {Memory: -1},
		"part":      {MemoryPart: 1.5},
		"no number": {MemoryPart: math.NaN()},
	} {
		g := newFakeGPU(t, 1000)
		if _, err := open(g.API(), fakeImage, o); err == nil {
			t.Errorf("%s: no error", name)
		}
		if live := g.Live(); len(live) > 0 || len(g.Lost()) > 0 {
			t.Errorf("%s: not released: %v, %v", name, live, g.Lost())
		}
	}
	// A kernel that the image lacks.
	full := newFakeGPU(t, 1000)
	e, err := open(full.API(), fakeImage, Options{})
	if err != nil {
		t.Fatal(err)
	}
	needed := 0
	for _, call := range full.Log() {
		if call == "cuModuleGetFunction" {
			needed++
		}
	}
	e.Close()
	missing := 0
	for name := range full.Kernels {
		g := newFakeGPU(t, 1000)
		delete(g.Kernels, name)
		e, err := open(g.API(), fakeImage, Options{})
		if err == nil {
			e.Close()
			continue
		}
		missing++
		if !errors.Is(err, ErrNoKernels) || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
		if live := g.Live(); len(live) > 0 || len(g.Lost()) > 0 {
			t.Errorf("without %s: not released: %v, %v", name, live, g.Lost())
		}
	}
	if missing != needed {
		t.Errorf("%d kernels are needed, %d are missed", needed, missing)
	}
}

func TestApproxOptions(t *testing.T) {
	if _, err := open(newFakeGPU(t, 1000).API(), fakeImage, Options{Approx: &align.Approx{Band: 1}}); err == nil {
		t.Error("a band of one diagonal is taken")
	}
}

// A device that fails takes the batch with it, and Close still works, twice.
func TestCloseOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	e, err := open(g.API(), fakeImage, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := mixedPairs(t, 50, 90)
	mustAlignAll(t, e, b)
	g.before = func(string) driver.Result { return 719 }
	var failure *Error
	if err := alignInTime(t, e, context.Background(), b); !errors.As(err, &failure) || failure.Code != 719 {
		t.Errorf("a failed launch: %v", err)
	}
	for range 2 {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		g.CheckReleased(t)
	}
}
