package driver

import (
	"errors"
	"fmt"
	"sync"
)

// loaded is the process's driver.
var loaded struct {
	mu          sync.Mutex
	done        bool // Load has been called
	connections int  // of SetConnections; 0: the driver's default
	api         *API
	err         error
}

// Load opens libcuda.so.1 and starts it, once per process; later calls return
// what the first returned. The error is ErrNoDriver, ErrNoDevice or ErrTooOld
// with details.
func Load() (*API, error) {
	l := &loaded
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.done {
		l.done = true
		l.api, l.err = openLibrary("libcuda.so.1", l.connections)
		if l.err == nil {
			l.err = l.api.Start()
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	return l.api, nil
}

// connectionsVariable is the environment variable of the number of connections.
const connectionsVariable = "CUDA_DEVICE_MAX_CONNECTIONS"

// SetConnections makes Load ask for n hardware connections to each device, 1 to 32;
// the driver's default is 8. Kernels of streams that share a connection wait for each
// other; with more connections, a device takes longer to open.
//
// The driver reads the number from the environment of the process. So Load sets
// CUDA_DEVICE_MAX_CONNECTIONS there, unless the user has set it. SetConnections
// returns an error after Load.
func SetConnections(n int) error {
	if n < 1 || n > 32 {
		return fmt.Errorf("%d connections to a GPU: want 1 to 32", n)
	}
	l := &loaded
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done {
		return errors.New("the number of connections to a GPU is set after the driver was loaded")
	}
	l.connections = n
	return nil
}
