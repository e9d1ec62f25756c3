// Package hybridtest provides fake GPUs, which align on CPU engines. A test with
// them covers orchestration and reports, not kernels.
package hybridtest

import (
	"fmt"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
)

// Machine is a fake hybrid.System.
type Machine struct {
	GPUs []*GPU
	// NoDriver, if not nil, is the error of every call.
	NoDriver error
	// NoDevices, if not nil, is the error of Devices.
	NoDevices error
	// Hint is what Expected returns.
	Hint int
	// BeforeCount and BeforeOpen, if not nil, are called by Count and Open
	// first. Open returns an error of BeforeOpen.
	BeforeCount func()
	BeforeOpen  func() error
}

// NewMachine returns a machine with these GPUs.
func NewMachine(gpus ...*GPU) *Machine { return &Machine{GPUs: gpus} }

// Count returns the number of GPUs, or gpu.ErrNoDevice.
func (m *Machine) Count() (int, error) {
	if m.BeforeCount != nil {
		m.BeforeCount()
	}
	switch {
	case m.NoDriver != nil:
		return 0, m.NoDriver
	case len(m.GPUs) == 0:
		return 0, fmt.Errorf("%w: none in this test", gpu.ErrNoDevice)
	}
	return len(m.GPUs), nil
}

// Expected returns m.Hint.
func (m *Machine) Expected() int { return m.Hint }

// Devices lists the GPUs by name and free memory.
func (m *Machine) Devices() ([]gpu.DeviceInfo, error) {
	if m.NoDriver != nil {
		return nil, m.NoDriver
	}
	var infos []gpu.DeviceInfo
	for i, g := range m.GPUs {
		infos = append(infos, gpu.DeviceInfo{Ordinal: i, Name: g.Name, FreeMemory: g.Free})
	}
	return infos, m.NoDevices
}

// Open opens a GPU. Opening it again returns another GPU, its Second.
func (m *Machine) Open(o gpu.Options) (hybrid.GPU, error) {
	if m.BeforeOpen != nil {
		if err := m.BeforeOpen(); err != nil {
			return nil, err
		}
	}
	switch {
	case m.NoDriver != nil:
		return nil, m.NoDriver
	case o.Device >= len(m.GPUs):
		return nil, fmt.Errorf("GPU %d: %w", o.Device, &gpu.Error{Call: "cuDeviceGet", Code: 101})
	}
	g := m.GPUs[o.Device]
	if g.OpenErr != nil {
		return nil, g.OpenErr
	}
	if g.Opened() {
		g.Second = &GPU{Name: g.Name, NoRoom: g.NoRoom, Spoil: g.Spoil}
		g = g.Second
	}
	return g, g.open(o)
}

// OpeningOn makes the machine expect its GPUs, at least one, and delays opening
// them until release is closed.
func (m *Machine) OpeningOn(release <-chan struct{}) *Machine {
	m.Hint = max(1, len(m.GPUs))
	m.BeforeCount = func() { <-release }
	return m
}
