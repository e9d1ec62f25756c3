package kernel

import (
	"wfagpu/gpu/internal/driver"
)

// loader looks kernels up in a module, each once.
type loader struct {
	Config
	module    *driver.Module
	device    driver.Info
	functions map[string]*driver.Function
}

func (l *loader) function(name string) (*driver.Function, error) {
	if f := l.functions[name]; f != nil {
		return f, nil
	}
	f, err := l.module.Function(name)
	if err == nil {
		l.functions[name] = f
	}
	return f, err
}

// large looks up a kernel and allows it the most dynamic shared memory of a block.
// It also returns that size, in bytes.
func (l *loader) large(name string) (*driver.Function, int, error) {
	f, err := l.function(name)
	if err != nil {
		return nil, 0, err
	}
	static, err := f.StaticShared()
	if err != nil {
		return nil, 0, err
	}
	most := l.device.SharedPerBlockOptin - static
	return f, most, f.SetSharedBytes(most)
}
