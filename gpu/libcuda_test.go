//go:build linux && (amd64 || arm64)

package gpu

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

// buildStub compiles testdata/libcuda.c and returns the library's path.
func buildStub(t *testing.T, flags ...string) string {
	t.Helper()
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	if _, err := exec.LookPath(cc); err != nil {
		t.Skipf("needs a C compiler: %v", err)
	}
	path := filepath.Join(t.TempDir(), "libcuda.so.1")
	args := append([]string{"-O2", "-shared", "-fPIC", "-o", path, "testdata/libcuda.c"}, flags...)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cc, err, out)
	}
	return path
}

// Every argument of every call reaches C, in its place and whole, and every
// value that C writes comes back. testdata/libcuda.c is the other side.
func TestCallsReachC(t *testing.T) {
	path := buildStub(t)
	drv, err := openLibrary(path)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := purego.Dlopen(path, purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	variable := func(name string) unsafe.Pointer {
		p, err := purego.Dlsym(lib, name)
		if err != nil {
			t.Fatal(err)
		}
		return *(*unsafe.Pointer)(unsafe.Pointer(&p))
	}
	called := (**byte)(variable("stub_name"))
	args := (*[16]uint64)(variable("stub_args"))
	answer := (*uint32)(variable("stub_result"))

	const (
		big    = 0x12_3456_789a // more than 32 bits
		stream = handle(0x7111_2222_3333_4444)
		event  = handle(0x7111_2222_3333_5555)
		fn     = handle(0x7111_2222_3333_6666)
		ptr    = devicePtr(0x7fff_aaaa_bbbb_cc00)
	)
	buffer := make([]byte, 8)
	host := unsafe.Pointer(unsafe.SliceData(buffer))
	address := uint64(uintptr(host))
	param := new(uint64)
	*param = 0xfeed_beef_cafe_f00d
	minus := func(n int64) uint64 { return uint64(-n) }
	type values []any
	type words []uint64
	for _, tc := range []struct {
		name string
		call func() (values, result)
		args words  // as C saw them
		out  values // as C wrote them
	}{
		{"cuInit", func() (values, result) { return nil, drv.init(3) }, words{3}, nil},
		{"cuDriverGetVersion", func() (values, result) { v, r := drv.driverGetVersion(); return values{v}, r }, nil, values{int32(13000)}},
		{"cuDeviceGet", func() (values, result) { v, r := drv.deviceGet(-2); return values{v}, r }, words{minus(2)}, values{int32(-5)}},
		{"cuDeviceGetName", func() (values, result) { v, r := drv.deviceGetName(6); return values{v}, r }, words{256, 6}, values{"Stub GPU"}},
		{"cuDeviceGetUuid", func() (values, result) { v, r := drv.deviceGetUuid(6); return values{v[0], v[15]}, r }, words{6}, values{byte(0xf0), byte(0xff)}},
		{"cuDeviceTotalMem_v2", func() (values, result) { v, r := drv.deviceTotalMem(6); return values{v}, r }, words{6}, values{uint64(0x2233445566)}},
		{"cuDeviceGetAttribute", func() (values, result) { v, r := drv.deviceGetAttribute(75, 6); return values{v}, r }, words{75, 6}, values{int32(-7)}},
		{"cuDevicePrimaryCtxRetain", func() (values, result) { v, r := drv.devicePrimaryCtxRetain(6); return values{v}, r }, words{6}, values{handle(0x7000000000000001)}},
		{"cuDevicePrimaryCtxRelease_v2", func() (values, result) { return nil, drv.devicePrimaryCtxRelease(6) }, words{6}, nil},
		{"cuCtxSetCurrent", func() (values, result) { return nil, drv.ctxSetCurrent(fn) }, words{uint64(fn)}, nil},
		{"cuModuleLoadData", func() (values, result) { v, r := drv.moduleLoadData([]byte{0x7f, 0}); return values{v}, r }, words{0x7f}, values{handle(0x7000000000000002)}},
		{"cuModuleUnload", func() (values, result) { return nil, drv.moduleUnload(fn) }, words{uint64(fn)}, nil},
		{"cuModuleGetFunction", func() (values, result) { v, r := drv.moduleGetFunction(fn, "kernel"); return values{v}, r }, words{uint64(fn), 6, 'k'}, values{handle(0x7000000000000003)}},
		{"cuFuncSetAttribute", func() (values, result) { return nil, drv.funcSetAttribute(fn, 8, -1) }, words{uint64(fn), 8, minus(1)}, nil},
		{"cuOccupancyMaxActiveBlocksPerMultiprocessor", func() (values, result) {
			v, r := drv.occupancyMaxActiveBlocksPerMultiprocessor(fn, 128, big)
			return values{v}, r
		}, words{uint64(fn), 128, big}, values{int32(16)}},
		{"cuMemGetInfo_v2", func() (values, result) { a, b, r := drv.memGetInfo(); return values{a, b}, r }, nil, values{uint64(0x1122334455), uint64(0x2233445566)}},
		{"cuMemAlloc_v2", func() (values, result) { v, r := drv.memAlloc(big); return values{v}, r }, words{big}, values{devicePtr(0x7fff000000000100)}},
		{"cuMemFree_v2", func() (values, result) { return nil, drv.memFree(ptr) }, words{uint64(ptr)}, nil},
		{"cuMemHostAlloc", func() (values, result) { v, r := drv.memHostAlloc(64, 1); return values{v != nil}, r }, words{64, 1}, values{true}},
		{"cuMemFreeHost", func() (values, result) { return nil, drv.memFreeHost(host) }, words{address}, nil},
		{"cuMemcpyHtoDAsync_v2", func() (values, result) { return nil, drv.memcpyHtoDAsync(ptr, host, big, stream) }, words{uint64(ptr), address, big, uint64(stream)}, nil},
		{"cuMemcpyDtoHAsync_v2", func() (values, result) { return nil, drv.memcpyDtoHAsync(host, ptr, big, stream) }, words{address, uint64(ptr), big, uint64(stream)}, nil},
		{"cuMemsetD8Async", func() (values, result) { return nil, drv.memsetD8Async(ptr, 0xa5, big, stream) }, words{uint64(ptr), 0xa5, big, uint64(stream)}, nil},
		{"cuStreamCreate", func() (values, result) { v, r := drv.streamCreate(1); return values{v}, r }, words{1}, values{handle(0x7000000000000004)}},
		{"cuStreamDestroy_v2", func() (values, result) { return nil, drv.streamDestroy(stream) }, words{uint64(stream)}, nil},
		{"cuStreamQuery", func() (values, result) { return nil, drv.streamQuery(stream) }, words{uint64(stream)}, nil},
		{"cuStreamSynchronize", func() (values, result) { return nil, drv.streamSynchronize(stream) }, words{uint64(stream)}, nil},
		{"cuEventCreate", func() (values, result) { v, r := drv.eventCreate(3); return values{v}, r }, words{3}, values{handle(0x7000000000000005)}},
		{"cuEventDestroy_v2", func() (values, result) { return nil, drv.eventDestroy(event) }, words{uint64(event)}, nil},
		{"cuEventRecord", func() (values, result) { return nil, drv.eventRecord(event, stream) }, words{uint64(event), uint64(stream)}, nil},
		{"cuEventSynchronize", func() (values, result) { return nil, drv.eventSynchronize(event) }, words{uint64(event)}, nil},
		{"cuEventElapsedTime", func() (values, result) { v, r := drv.eventElapsedTime(fn, event); return values{v}, r }, words{uint64(fn), uint64(event)}, values{float32(1.5)}},
		{"cuLaunchKernel", func() (values, result) {
			return nil, drv.launchKernel(fn, 1<<31-1, 1024, 232448, stream, unsafe.Pointer(param))
		}, words{uint64(fn), 1<<31 - 1, 1, 1, 1024, 1, 1, 232448, uint64(stream), 0, *param}, nil},
	} {
		for _, want := range []result{success, 719} {
			*answer = uint32(want)
			out, r := tc.call()
			if name := goString(*called); name != tc.name {
				t.Errorf("%s: C ran %s", tc.name, name)
			}
			if r != want {
				t.Errorf("%s: result %d, want %d", tc.name, r, want)
			}
			var seen [16]uint64
			copy(seen[:], tc.args)
			if *args != seen {
				t.Errorf("%s: C saw   %#x\nwant %#x", tc.name, *args, seen)
			}
			if !reflect.DeepEqual(out, tc.out) {
				t.Errorf("%s: got %v, want %v", tc.name, out, tc.out)
			}
		}
	}
	if drv.getErrorName(2) != "CUDA_ERROR_OUT_OF_MEMORY" || drv.getErrorString(2) != "out of memory" {
		t.Errorf("result 2 is %q, %q", drv.getErrorName(2), drv.getErrorString(2))
	}
	if drv.getErrorName(3) != "" || drv.getErrorString(3) != "" {
		t.Errorf("result 3 is %q, %q", drv.getErrorName(3), drv.getErrorString(3))
	}
}

// CUDA_VISIBLE_DEVICES reaches the library as it was given to the process.
// C sees the number of queues, and the user's own one where there is one.
func TestConnections(t *testing.T) {
	fromC := func(name string) string {
		getenv, err := purego.Dlsym(purego.RTLD_DEFAULT, "getenv")
		if err != nil {
			t.Skip(err)
		}
		c := append([]byte(name), 0)
		r, _, _ := purego.SyscallN(getenv, uintptr(unsafe.Pointer(&c[0])))
		if r == 0 {
			return ""
		}
		return goString(*(**byte)(unsafe.Pointer(&r)))
	}
	setConnections()
	want := os.Getenv(connectionsVariable)
	if want == "" {
		want = connections
	}
	if got := fromC(connectionsVariable); got != want {
		t.Errorf("C has %q, want %q", got, want)
	}
}

func TestVisibleDevices(t *testing.T) {
	if path := os.Getenv("WFAGPU_TEST_STUB"); path != "" {
		drv, err := openLibrary(path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := deviceCount(drv)
		t.Logf("count=%d err=%v", n, err)
		return
	}
	stub := buildStub(t)
	for visible, want := range map[string]string{"": "count=0 err=no NVIDIA GPU: ", "3": "count=1 err=<nil>", "2,0,5": "count=3 err=<nil>", "unset": "count=8 err=<nil>"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestVisibleDevices$", "-test.v")
		for _, v := range os.Environ() {
			if !strings.HasPrefix(v, "CUDA_VISIBLE_DEVICES=") {
				cmd.Env = append(cmd.Env, v)
			}
		}
		cmd.Env = append(cmd.Env, "WFAGPU_TEST_STUB="+stub)
		if visible != "unset" {
			cmd.Env = append(cmd.Env, "CUDA_VISIBLE_DEVICES="+visible)
		}
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte(want)) {
			t.Errorf("CUDA_VISIBLE_DEVICES=%s: %v, want %s in\n%s", visible, err, want, out)
		}
	}
}

// No library, what is none, and one that lacks a symbol.
func TestNoLibrary(t *testing.T) {
	_, err := openLibrary("libcuda-that-is-not-there.so.1")
	if !errors.Is(err, ErrNoDriver) || !strings.Contains(err.Error(), "libcuda-that-is-not-there.so.1: cannot open shared object file") {
		t.Errorf("no library: %v", err)
	}
	_, err = openLibrary("testdata/libcuda.c")
	if !errors.Is(err, ErrNoDriver) {
		t.Errorf("no library but a source file: %v", err)
	}
	_, err = openLibrary(buildStub(t, "-DcuMemAlloc_v2=cuMemAlloc"))
	if !errors.Is(err, ErrTooOld) || !strings.Contains(err.Error(), "cuMemAlloc_v2") {
		t.Errorf("a library without cuMemAlloc_v2: %v", err)
	}
}

// What a call of the driver costs beside what the driver does.
func BenchmarkCall(b *testing.B) {
	lib, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
	if err != nil {
		b.Skip(err)
	}
	abs, err := purego.Dlsym(lib, "abs")
	if err != nil {
		b.Fatal(err)
	}
	drv := &driver{ctxSetCurrent: func(handle) result { return call(abs, 0) }}
	d := &device{drv: drv, ctx: 1}
	for b.Loop() {
		if err := d.run("abs", func() result { return call(abs, 0) }); err != nil {
			b.Fatal(err)
		}
	}
}
