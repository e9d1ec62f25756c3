//go:build linux && (amd64 || arm64) && !nogpu

package driver

import (
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
	api, err := openLibrary(path, 0)
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
		stream = Handle(0x7111_2222_3333_4444)
		event  = Handle(0x7111_2222_3333_5555)
		fn     = Handle(0x7111_2222_3333_6666)
		ptr    = Ptr(0x7fff_aaaa_bbbb_cc00)
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
		call func() (values, Result)
		args words  // as C saw them
		out  values // as C wrote them
	}{
		{"cuInit", func() (values, Result) { return nil, api.Init(3) }, words{3}, nil},
		{"cuDriverGetVersion", func() (values, Result) { v, r := api.DriverGetVersion(); return values{v}, r }, nil, values{int32(13000)}},
		{"cuDeviceGet", func() (values, Result) { v, r := api.DeviceGet(-2); return values{v}, r }, words{minus(2)}, values{int32(-5)}},
		{"cuDeviceGetName", func() (values, Result) { v, r := api.DeviceGetName(6); return values{v}, r }, words{256, 6}, values{"Stub GPU"}},
		{"cuDeviceGetUuid", func() (values, Result) { v, r := api.DeviceGetUuid(6); return values{v[0], v[15]}, r }, words{6}, values{byte(0xf0), byte(0xff)}},
		{"cuDeviceTotalMem_v2", func() (values, Result) { v, r := api.DeviceTotalMem(6); return values{v}, r }, words{6}, values{uint64(0x2233445566)}},
		{"cuDeviceGetAttribute", func() (values, Result) { v, r := api.DeviceGetAttribute(75, 6); return values{v}, r }, words{75, 6}, values{int32(-7)}},
		{"cuDevicePrimaryCtxRetain", func() (values, Result) { v, r := api.DevicePrimaryCtxRetain(6); return values{v}, r }, words{6}, values{Handle(0x7000000000000001)}},
		{"cuDevicePrimaryCtxRelease_v2", func() (values, Result) { return nil, api.DevicePrimaryCtxRelease(6) }, words{6}, nil},
		{"cuCtxSetCurrent", func() (values, Result) { return nil, api.CtxSetCurrent(fn) }, words{uint64(fn)}, nil},
		{"cuModuleLoadData", func() (values, Result) { v, r := api.ModuleLoadData([]byte{0x7f, 0}); return values{v}, r }, words{0x7f}, values{Handle(0x7000000000000002)}},
		{"cuModuleUnload", func() (values, Result) { return nil, api.ModuleUnload(fn) }, words{uint64(fn)}, nil},
		{"cuModuleGetFunction", func() (values, Result) { v, r := api.ModuleGetFunction(fn, "kernel"); return values{v}, r }, words{uint64(fn), 6, 'k'}, values{Handle(0x7000000000000003)}},
		{"cuFuncGetAttribute", func() (values, Result) { v, r := api.FuncGetAttribute(fn, 1); return values{v}, r }, words{1, uint64(fn)}, values{int32(2064)}},
		{"cuFuncSetAttribute", func() (values, Result) { return nil, api.FuncSetAttribute(fn, 8, -1) }, words{uint64(fn), 8, minus(1)}, nil},
		{"cuOccupancyMaxActiveBlocksPerMultiprocessor", func() (values, Result) {
			v, r := api.OccupancyMaxActiveBlocksPerMultiprocessor(fn, 128, big)
			return values{v}, r
		}, words{uint64(fn), 128, big}, values{int32(16)}},
		{"cuMemGetInfo_v2", func() (values, Result) { a, b, r := api.MemGetInfo(); return values{a, b}, r }, nil, values{uint64(0x1122334455), uint64(0x2233445566)}},
		{"cuMemAlloc_v2", func() (values, Result) { v, r := api.MemAlloc(big); return values{v}, r }, words{big}, values{Ptr(0x7fff000000000100)}},
		{"cuMemFree_v2", func() (values, Result) { return nil, api.MemFree(ptr) }, words{uint64(ptr)}, nil},
		{"cuMemHostAlloc", func() (values, Result) { v, r := api.MemHostAlloc(64, 1); return values{v != nil}, r }, words{64, 1}, values{true}},
		{"cuMemFreeHost", func() (values, Result) { return nil, api.MemFreeHost(host) }, words{address}, nil},
		{"cuMemHostRegister_v2", func() (values, Result) { return nil, api.MemHostRegister(host, big, 1) }, words{address, big, 1}, nil},
		{"cuMemHostUnregister", func() (values, Result) { return nil, api.MemHostUnregister(host) }, words{address}, nil},
		{"cuMemcpyHtoDAsync_v2", func() (values, Result) { return nil, api.MemcpyHtoDAsync(ptr, host, big, stream) }, words{uint64(ptr), address, big, uint64(stream)}, nil},
		{"cuMemcpyDtoHAsync_v2", func() (values, Result) { return nil, api.MemcpyDtoHAsync(host, ptr, big, stream) }, words{address, uint64(ptr), big, uint64(stream)}, nil},
		{"cuMemsetD8Async", func() (values, Result) { return nil, api.MemsetD8Async(ptr, 0xa5, big, stream) }, words{uint64(ptr), 0xa5, big, uint64(stream)}, nil},
		{"cuStreamCreateWithPriority", func() (values, Result) { v, r := api.StreamCreateWithPriority(1, -2); return values{v}, r }, words{1, 1<<64 - 2}, values{Handle(0x7000000000000004)}},
		{"cuStreamDestroy_v2", func() (values, Result) { return nil, api.StreamDestroy(stream) }, words{uint64(stream)}, nil},
		{"cuStreamQuery", func() (values, Result) { return nil, api.StreamQuery(stream) }, words{uint64(stream)}, nil},
		{"cuStreamSynchronize", func() (values, Result) { return nil, api.StreamSynchronize(stream) }, words{uint64(stream)}, nil},
		{"cuEventCreate", func() (values, Result) { v, r := api.EventCreate(3); return values{v}, r }, words{3}, values{Handle(0x7000000000000005)}},
		{"cuEventDestroy_v2", func() (values, Result) { return nil, api.EventDestroy(event) }, words{uint64(event)}, nil},
		{"cuEventRecord", func() (values, Result) { return nil, api.EventRecord(event, stream) }, words{uint64(event), uint64(stream)}, nil},
		{"cuEventSynchronize", func() (values, Result) { return nil, api.EventSynchronize(event) }, words{uint64(event)}, nil},
		{"cuLaunchKernel", func() (values, Result) {
			return nil, api.LaunchKernel(fn, 1<<31-1, 1024, 232448, stream, unsafe.Pointer(param))
		}, words{uint64(fn), 1<<31 - 1, 1, 1, 1024, 1, 1, 232448, uint64(stream), 0, *param}, nil},
	} {
		for _, want := range []Result{Success, 719} {
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
	if api.GetErrorName(2) != "CUDA_ERROR_OUT_OF_MEMORY" || api.GetErrorString(2) != "out of memory" {
		t.Errorf("result 2 is %q, %q", api.GetErrorName(2), api.GetErrorString(2))
	}
	if api.GetErrorName(3) != "" || api.GetErrorString(3) != "" {
		t.Errorf("result 3 is %q, %q", api.GetErrorName(3), api.GetErrorString(3))
	}
}

// A library that is missing, one that is none, and one that lacks a symbol.
func TestNoLibrary(t *testing.T) {
	_, err := openLibrary("libcuda-that-is-not-there.so.1", 0)
	if !errors.Is(err, ErrNoDriver) || !strings.Contains(err.Error(), "libcuda-that-is-not-there.so.1: cannot open shared object file") {
		t.Errorf("no library: %v", err)
	}
	_, err = openLibrary("testdata/libcuda.c", 0)
	if !errors.Is(err, ErrNoDriver) {
		t.Errorf("no library but a source file: %v", err)
	}
	_, err = openLibrary(buildStub(t, "-DcuMemAlloc_v2=cuMemAlloc"), 0)
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
	api := &API{CtxSetCurrent: func(Handle) Result { return call(abs, 0) }}
	d := &Device{api: api, ctx: 1}
	for b.Loop() {
		if err := d.run("abs", func() Result { return call(abs, 0) }); err != nil {
			b.Fatal(err)
		}
	}
}
