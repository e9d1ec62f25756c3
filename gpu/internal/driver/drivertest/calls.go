package drivertest

import (
	"runtime"
	"slices"
	"sync"

	"wfagpu/gpu/internal/driver"
)

// calls counts, records and fails the calls of the driver. Its lock is that of the
// whole driver.
type calls struct {
	// Shuffle yields to other goroutines in every call, so that a goroutine that
	// is not locked to its thread soon changes threads.
	Shuffle bool

	mu       sync.Mutex
	started  bool
	made     int
	failAt   int // the call to fail, counted from 1; 0 for none
	failWith driver.Result
	failedIn string
	log      []string
	broken   map[string]driver.Result
}

// FailNth makes the n-th call from now on fail; 1 is the next.
func (f *calls) FailNth(n int, r driver.Result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.made, f.failAt, f.failWith, f.failedIn = 0, n, r, ""
}

// FailEvery makes every call of a symbol, such as cuMemAlloc, return a result;
// driver.Success ends that.
func (f *calls) FailEvery(symbol string, r driver.Result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken[symbol] = r
}

// FailedIn returns the symbol of the call that FailNth made fail, empty if none
// has.
func (f *calls) FailedIn() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failedIn
}

// Log returns every call since ClearLog, by symbol.
func (f *calls) Log() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.log)
}

// ClearLog empties the log.
func (f *calls) ClearLog() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = nil
}

// begin is called first by every function of the table. It returns with f.mu locked.
// If the result is not Success, the call must return it.
func (f *calls) begin(symbol string) driver.Result {
	if f.Shuffle {
		runtime.Gosched()
	}
	f.mu.Lock()
	f.made++
	f.log = append(f.log, symbol)
	if r := f.broken[symbol]; r != driver.Success {
		return r
	}
	if f.made == f.failAt {
		f.failedIn = symbol
		return f.failWith
	}
	if !f.started && symbol != "cuInit" && symbol != "cuDriverGetVersion" {
		return notInitialized
	}
	return driver.Success
}
