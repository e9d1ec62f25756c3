package drivertest

import (
	"maps"

	"wfagpu/gpu/internal/driver"
)

// object is the object of a handle.
type object struct {
	kind   string // "module", "function", "stream", "event"
	ctx    driver.Handle
	name   string        // of a function
	shared int32         // of a function: allowed dynamic shared memory
	module driver.Handle // of a function
	size   int           // of a module's image, in bytes
	busy   int           // of a stream: number of next queries that return "not ready"
}

// objects are what handles refer to.
type objects struct {
	*contexts
	all  map[driver.Handle]*object
	next driver.Handle
}

// find looks up a handle of a kind in the current context.
func (f *objects) find(h driver.Handle, kind string, ctx driver.Handle) (*object, driver.Result) {
	o := f.all[h]
	if o == nil || o.kind != kind || o.ctx != ctx {
		return nil, invalidHandle
	}
	return o, driver.Success
}

// use is beginIn for calls on one object.
func (f *objects) use(symbol string, h driver.Handle, kind string) (*object, driver.Result) {
	ctx, r := f.beginIn(symbol)
	if r != driver.Success {
		return nil, r
	}
	return f.find(h, kind, ctx)
}

func (f *objects) add(o *object) driver.Handle {
	f.next += 16
	f.all[f.next] = o
	return f.next
}

func (f *objects) destroy(symbol string, h driver.Handle, kind string) driver.Result {
	defer f.mu.Unlock()
	_, r := f.use(symbol, h, kind)
	if r == driver.Success {
		delete(f.all, h)
		maps.DeleteFunc(f.all, func(_ driver.Handle, o *object) bool { return o.module == h })
	}
	return r
}

// end deletes the objects of a context and returns their kinds, without functions: they
// are their modules'.
func (f *objects) end(ctx driver.Handle) (kinds []string) {
	for h, o := range f.all {
		if o.ctx != ctx {
			continue
		}
		if o.kind != "function" {
			kinds = append(kinds, o.kind)
		}
		delete(f.all, h)
	}
	return kinds
}
