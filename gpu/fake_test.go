package gpu

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"unsafe"
)

// fakeDriver is a CUDA driver in Go. Device memory is Go memory behind made-up
// addresses, and an access that is not wholly inside one allocation is an
// error. Work of streams is done at once. Every call that needs a context fails
// unless the calling OS thread has set one, and handles work only in the
// context that they were made in.
//
// The fields above mu are set before the first call. Faults are injected with
// failNth and failEvery. It is safe for concurrent use.
type fakeDriver struct {
	devices []fakeDevice
	version int32 // of CUDA

	// kernels are what every module holds.
	kernels map[string]fakeKernel
	// launch does the work of a kernel. grid, block and shared are those of
	// the launch and params points to its parameter; memoryAt finds the bytes
	// behind pointers in it. nil: kernels do nothing. Calls may be concurrent.
	launch func(name string, grid, block, shared int, params unsafe.Pointer) result

	// take returns memory for an allocation, on the device or pinned, and give
	// gets back what was freed. What is in the memory may be anything.
	take func(n int) []byte
	give func([]byte)

	// hostLimit bounds pinned memory in bytes; 0 is no limit.
	hostLimit uint64
	// busyQueries is how often cuStreamQuery says "not ready" after new work.
	busyQueries int
	// shuffle gives other goroutines a chance to take the thread in every call,
	// so that a goroutine that is not locked to it is soon found out.
	shuffle bool
	// mute leaves the names of results unknown.
	mute bool

	mu       sync.Mutex
	started  bool
	current  map[int]handle // by OS thread
	objects  map[handle]*fakeObject
	blocks   []*fakeBlock // device memory, by address
	pinned   map[uintptr]*fakePinned
	next     uintptr // handles and addresses
	clock    float64 // milliseconds of the device
	calls    int
	failAt   int // the call to fail, counted from 1; 0 for none
	failWith result
	log      []string // every call, by symbol
	broken   map[string]result
	lost     []string // kinds of what was alive when its context went
	failedIn string   // the symbol that failNth hit
}

// fakeDevice is one GPU.
type fakeDevice struct {
	name         string
	major, minor int32
	memory       uint64 // bytes
	sms          int32

	retains int
	used    uint64
}

// fakeKernel is what a kernel needs per thread.
type fakeKernel struct {
	registers int32
}

type fakeObject struct {
	kind     string // "module", "function", "stream", "event"
	ctx      handle
	name     string // of a function
	shared   int32  // of a function: allowed dynamic shared memory
	module   handle // of a function
	flags    uint32
	busy     int     // of a stream: queries to come that say "not ready"
	recorded bool    // of an event
	time     float64 // of an event
}

// Sizes of the fake devices, those of an H200.
const (
	fakeSharedPerBlock = 227 << 10
	fakeSharedPerSM    = 228 << 10
	fakeThreadsPerSM   = 2048
	fakeRegistersPerSM = 65536
	fakePlainShared    = 48 << 10 // dynamic shared memory without asking
)

// fakeImage is accepted as a kernel image.
var fakeImage = []byte(".version 8.0\n.target sm_80\n")

// newFake returns a driver with n devices of compute capability 9.0 and 1 GiB.
func newFake(n int) *fakeDriver {
	f := &fakeDriver{
		version: 13000,
		kernels: map[string]fakeKernel{},
		broken:  map[string]result{},
		current: map[int]handle{},
		objects: map[handle]*fakeObject{},
		pinned:  map[uintptr]*fakePinned{},
		next:    0x7f00_0000_0000,
		take:    func(n int) []byte { return make([]byte, n) },
		give:    func([]byte) {},
	}
	for i := range n {
		f.devices = append(f.devices, fakeDevice{name: fmt.Sprintf("Fake H200 #%d", i), major: 9, memory: 1 << 30, sms: 132})
	}
	return f
}

// openFake returns the first device of a fake, opened until the test ends. What
// is left alive then fails the test.
func openFake(t *testing.T, f *fakeDriver) *device {
	t.Helper()
	d, err := openDevice(f.driver(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.close(); err != nil {
			t.Error(err)
		}
		f.expectNothingLeft(t)
	})
	return d
}

// live counts what has not been given back, by kind: "context" (retains),
// "memory", "pinned", "module", "stream", "event". Kinds without any are left
// out.
func (f *fakeDriver) live() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	counts := map[string]int{"context": 0, "memory": len(f.blocks), "pinned": len(f.pinned)}
	for _, d := range f.devices {
		counts["context"] += d.retains
	}
	for _, o := range f.objects {
		if o.kind != "function" {
			counts[o.kind]++
		}
	}
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n == 0 })
	return counts
}

// expectNothingLeft fails the test if something is alive, or was when its
// context went.
func (f *fakeDriver) expectNothingLeft(t *testing.T) {
	t.Helper()
	if left := f.live(); len(left) > 0 {
		t.Errorf("left alive: %v", left)
	}
	if len(f.lost) > 0 {
		t.Errorf("not freed before the context went: %v", f.lost)
	}
}

func (f *fakeDriver) add(o *fakeObject) handle {
	f.next += 16
	f.objects[handle(f.next)] = o
	return handle(f.next)
}

func (f *fakeDriver) destroy(symbol string, h handle, kind string) result {
	defer f.mu.Unlock()
	_, r := f.use(symbol, h, kind)
	if r == success {
		delete(f.objects, h)
		maps.DeleteFunc(f.objects, func(_ handle, o *fakeObject) bool { return o.module == h })
	}
	return r
}

// contextOf and ordinal turn devices into context handles and back.
func contextOf(device int32) handle             { return 0xc0de0000 + handle(device) }
func (f *fakeDriver) ordinal(ctx handle) int    { return int(ctx - 0xc0de0000) }
func (f *fakeDriver) valid(device int32) bool   { return device >= 0 && int(device) < len(f.devices) }
func (f *fakeDriver) of(ctx handle) *fakeDevice { return &f.devices[f.ordinal(ctx)] }

// endContext destroys everything made in a context, as CUDA does, and
// remembers what there was.
func (f *fakeDriver) endContext(ctx handle) {
	for h, o := range f.objects {
		if o.ctx == ctx {
			if o.kind != "function" {
				f.lost = append(f.lost, o.kind)
			}
			delete(f.objects, h)
		}
	}
	f.blocks = slices.DeleteFunc(f.blocks, func(b *fakeBlock) bool {
		if b.ctx == ctx {
			f.lost = append(f.lost, "memory")
			f.give(b.data)
		}
		return b.ctx == ctx
	})
	maps.DeleteFunc(f.pinned, func(_ uintptr, b *fakePinned) bool {
		if b.ctx == ctx {
			f.lost = append(f.lost, "pinned")
			f.give(b.data)
		}
		return b.ctx == ctx
	})
	f.of(ctx).used = 0
}
