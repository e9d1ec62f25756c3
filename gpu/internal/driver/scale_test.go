package driver_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"testing"
	"unsafe"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// The same kernel as everywhere: out[i] = scale * i for i < n, with scale and n
// behind a pointer, in one struct of 16 bytes passed by value.
const scalePTX = `.version 7.0
.target sm_80
.address_size 64
.visible .entry scale(.param .align 8 .b8 p[16])
{
	.reg .pred %q;
	.reg .b32 %i, %n, %s, %b, %d;
	.reg .b64 %o, %a;
	ld.param.u64 %o, [p];
	ld.param.u32 %n, [p+8];
	ld.param.u32 %s, [p+12];
	mov.u32 %b, %ctaid.x;
	mov.u32 %d, %ntid.x;
	mov.u32 %i, %tid.x;
	mad.lo.u32 %i, %b, %d, %i;
	setp.ge.u32 %q, %i, %n;
	@%q bra done;
	cvta.to.global.u64 %o, %o;
	mul.wide.u32 %a, %i, 4;
	add.s64 %a, %o, %a;
	mul.lo.u32 %i, %i, %s;
	st.global.u32 [%a], %i;
done:
	ret;
}
`

// scaleParams is the parameter of the kernel in scalePTX.
type scaleParams struct {
	out      driver.Ptr
	n, scale uint32
}

// fakeScale teaches a fake driver the kernel scale.
func fakeScale(f *drivertest.Driver) {
	f.Kernels["scale"] = drivertest.Kernel{Registers: 12}
	f.Launch = func(name string, grid, block, shared int, params unsafe.Pointer) driver.Result {
		p := (*scaleParams)(params)
		out := f.MemoryAt(p.out, 4*int(p.n))
		if name != "scale" || out == nil {
			return 700 // CUDA_ERROR_ILLEGAL_ADDRESS
		}
		for i := range min(int(p.n), grid*block) {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(i)*p.scale)
		}
		return driver.Success
	}
}

// testScale runs the kernel scale on a device and gives back all that it takes.
func testScale(t *testing.T, d *driver.Device) {
	if err := runScale(d, []byte(scalePTX)); err != nil {
		t.Fatal(err)
	}
}

var errWrongResult = errors.New("the kernel's result is wrong")

// runScale is everything that a user of a device does, once: the first failure
// is returned, of freeing too, and whatever was made is freed.
func runScale(d *driver.Device, image []byte) (err error) {
	release := func(f func() error) {
		if e := f(); err == nil {
			err = e
		}
	}
	m, err := d.LoadModule(image)
	if err != nil {
		return err
	}
	defer release(m.Close)
	f, err := m.Function("scale")
	if err != nil {
		return err
	}
	if _, err := f.StaticShared(); err != nil {
		return err
	}
	if err := f.SetSharedBytes(64 << 10); err != nil {
		return err
	}
	perSM, err := f.BlocksPerSM(128, 64<<10)
	if err != nil {
		return err
	}
	if perSM < 1 {
		return errWrongResult
	}
	const n = 10_000
	host, err := d.AllocPinned(4 * n)
	if err != nil {
		return err
	}
	defer release(func() error { return d.FreePinned(host) })
	back, err := d.AllocPinned(2 << 20) // in pages of the system
	if err != nil {
		return err
	}
	defer release(func() error { return d.FreePinned(back) })
	p, err := d.Alloc(4 * n)
	if err != nil {
		return err
	}
	defer release(func() error { return d.Free(p) })
	s, err := d.NewStream()
	if err != nil {
		return err
	}
	defer release(s.Close)

	clear(host)
	if err := s.ToDevice(p, host); err != nil {
		return err
	}
	params := scaleParams{out: p, n: n - 1, scale: 3}
	if err := s.Launch(f, (n+127)/128, 128, 64<<10, unsafe.Pointer(&params)); err != nil {
		return err
	}
	if err := s.Fill(p+4*(n-1), 0xff, 4); err != nil {
		return err
	}
	got := back[:4*n]
	if err := s.ToHost(got, p); err != nil {
		return err
	}
	if err := s.Wait(context.Background()); err != nil {
		return err
	}
	for j := range n - 1 {
		if binary.LittleEndian.Uint32(got[4*j:]) != uint32(3*j) {
			return errWrongResult
		}
	}
	if !bytes.Equal(got[4*(n-1):], []byte{0xff, 0xff, 0xff, 0xff}) {
		return errWrongResult
	}
	return s.Synchronize()
}
