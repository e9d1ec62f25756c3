package kernel

import (
	"errors"
	"os"
	"slices"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cuda"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/emu"
	"wfagpu/gpu/internal/pack"
)

// spanDevice runs kernels of the span family.
type spanDevice struct {
	dev    *driver.Device
	module *driver.Module
	stream *driver.Stream
}

func newSpanDevice(t testing.TB, dev *driver.Device, image []byte) *spanDevice {
	d := &spanDevice{dev: dev}
	var err error
	if d.module, err = dev.LoadModule(image); err != nil {
		t.Fatal(err)
	}
	if d.stream, err = dev.NewStream(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(d.stream.Close(), d.module.Close()); err != nil {
			t.Error(err)
		}
	})
	return d
}

// emulatedSpans returns a device that runs the kernels on the CPU.
func emulatedSpans(t testing.TB) *spanDevice {
	kernels := emu.ForTest(t)
	g := drivertest.New(1)
	g.Devices[0].Memory = 2 << 30
	g.Devices[0].SMs = 1
	for _, name := range kernels.Names() {
		g.Kernels[name] = drivertest.Kernel{Registers: 64}
	}
	g.Launch = func(name string, grid, block, shared int, params unsafe.Pointer) driver.Result {
		if err := kernels.Launch(name, grid, block, shared, params, int(unsafe.Sizeof(abi.Params{}))); err != nil {
			t.Errorf("%s with grid %d, block %d: %v", name, grid, block, err)
			return 700 // CUDA_ERROR_ILLEGAL_ADDRESS
		}
		return driver.Success
	}
	return newSpanDevice(t, g.Open(t), drivertest.Image)
}

// spansOnDevice returns the GPU.
func spansOnDevice(t testing.TB) *spanDevice {
	dev := drivertest.RequireDevice(t)
	image, err := cuda.Image()
	if path := os.Getenv("WFAGPU_KERNELS"); path != "" {
		image, err = os.ReadFile(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return newSpanDevice(t, dev, image)
}

// kernels returns the family's kernels for a model.
func (d *spanDevice) kernels(t testing.TB, m align.Model, scoreOnly bool) (found []*spanned) {
	c := Config{Model: m, Penalties: m.Affine(), ScoreOnly: scoreOnly, CigarCapacity: cigarCapacity}
	f := families[slices.IndexFunc(families, func(f *Family) bool { return f.Name == spanFamily })]
	kernels, err := loadSpan(f, &loader{Config: c, module: d.module, device: d.dev.Info, functions: map[string]*driver.Function{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kernels {
		found = append(found, k.(*spanned))
	}
	return found
}

// name returns the name of the compiled kernel.
func (k *spanned) name() string { return spanName(k.domain.gaps(), k.domain.ends(), k.shape, k.bits) }

// spanMemory is the memory of a launch.
type spanMemory struct {
	t      testing.TB
	d      *spanDevice
	taken  []driver.Ptr
	params abi.Params
	plan   Plan
	group  Group
	cells  float64
}

const spanCigars = 1 << 18

func (x *spanMemory) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// take returns device memory with some content.
func (x *spanMemory) take(content []byte, bytes int) driver.Ptr {
	p, err := x.d.dev.Alloc(max(bytes, 256))
	x.must(err)
	x.taken = append(x.taken, p)
	if len(content) == 0 {
		return p
	}
	pinned, err := x.d.dev.AllocPinned(len(content))
	x.must(err)
	copy(pinned, content)
	x.must(x.d.stream.ToDevice(p, pinned))
	x.must(x.d.stream.Synchronize())
	x.must(x.d.dev.FreePinned(pinned))
	return p
}

func (x *spanMemory) free() {
	for _, p := range x.taken {
		x.must(x.d.dev.Free(p))
	}
}

func bytesOf[T any](s []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(one)))
}

// read copies device memory.
func read[T any](x *spanMemory, p driver.Ptr, n int) []T {
	s := make([]T, n)
	pinned, err := x.d.dev.AllocPinned(len(bytesOf(s)))
	x.must(err)
	x.must(x.d.stream.ToHost(pinned, p))
	x.must(x.d.stream.Synchronize())
	copy(bytesOf(s), pinned)
	x.must(x.d.dev.FreePinned(pinned))
	return s
}

// prepare puts pairs into memory, and plans a launch of a kernel on them.
func (d *spanDevice) prepare(t testing.TB, k *spanned, pairs []letterPair, cigars int) *spanMemory {
	x := &spanMemory{t: t, d: d, group: Group{Count: len(pairs), Bound: MaxBound}}
	words := 64
	for _, p := range pairs {
		words += pack.Words(len(p.pattern)) + pack.Words(len(p.text))
		x.group.Pattern, x.group.Text = max(x.group.Pattern, len(p.pattern)), max(x.group.Text, len(p.text))
		x.cells += float64(len(p.pattern)) * float64(len(p.text))
	}
	bases, tasks, at := make([]uint32, words), make([]abi.Task, len(pairs)), 0
	base := x.take(nil, 4*words)
	for i, p := range pairs {
		pair := align.Pair{Pattern: []byte(p.pattern), Text: []byte(p.text)}
		if !pack.Pair(bases[at:], &pair, &pair) {
			t.Fatal("letters")
		}
		n := pack.Words(len(p.pattern))
		tasks[i] = abi.Task{
			Pattern: base + driver.Ptr(4*at), Text: base + driver.Ptr(4*(at+n)),
			PatternLength: int32(len(p.pattern)), TextLength: int32(len(p.text)), Bound: MaxBound,
		}
		at += n + pack.Words(len(p.text))
	}
	pinned, err := d.dev.AllocPinned(4 * words)
	x.must(err)
	copy(pinned, bytesOf(bases))
	x.must(d.stream.ToDevice(base, pinned))
	x.must(d.stream.Synchronize())
	x.must(d.dev.FreePinned(pinned))
	var ok bool
	if x.plan, ok, err = k.Plan(x.group, 1<<30); err != nil || !ok {
		t.Fatal(ok, err)
	}
	counters := x.take(make([]byte, 256), 256)
	x.params = abi.Params{
		Tasks: x.take(bytesOf(tasks), len(bytesOf(tasks))), Results: x.take(nil, 16*len(pairs)), Rows: x.take(nil, x.plan.Bytes(len(pairs))),
		Cigars: x.take(nil, 4*cigars), Used: counters, Next: counters + 64, Stop: counters + 128,
		CigarCapacity: uint32(cigars), Count: int32(len(pairs)),
	}
	x.clear()
	return x
}

// clear resets the counters and the results.
func (x *spanMemory) clear() {
	x.must(x.d.stream.Fill(x.params.Used, 0, 256))
	x.must(x.d.stream.Fill(x.params.Results, abi.Unreached, 16*x.group.Count))
}

// run runs a kernel and its traceback on pairs.
func (d *spanDevice) run(t testing.TB, k *spanned, pairs []letterPair) ([]abi.Result, []uint32) {
	x := d.prepare(t, k, pairs, spanCigars)
	defer x.free()
	x.must(k.Launch(d.stream, x.params, x.group, x.plan))
	x.must(k.Trace(d.stream, x.params, x.group, x.plan))
	x.must(d.stream.Synchronize())
	return read[abi.Result](x, x.params.Results, len(pairs)), read[uint32](x, x.params.Cigars, spanCigars)
}
