package main

import (
	"errors"

	"wfagpu/align"
)

// errNoGPU says why a demanded GPU is not there.
var errNoGPU = errors.New("no usable device: this version of wfagpu has no GPU engine")

// openEngine turns --device into an engine. A device that was demanded and is
// not there is an error; only auto may settle for the CPU, and says so.
func openEngine(d deviceChoice, opts align.Options, con *console) (*align.Engine, error) {
	if d.kind != "auto" && d.kind != "cpu" {
		return nil, withHint(&deviceError{errNoGPU}, "use --device cpu or --device auto")
	}
	engine, err := align.New(opts)
	if err != nil {
		// The flags have been checked one by one; what is left is a code path
		// that this CPU does not run.
		return nil, &deviceError{err}
	}
	if d.kind == "auto" {
		used := engine.Options()
		con.notice("no GPU engine in this version; aligning on the CPU (%s, %s)",
			count(int64(used.Threads), "thread"), used.Level)
	}
	return engine, nil
}
