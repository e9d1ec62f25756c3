package main

import (
	"os"
	"path/filepath"

	seqio "wfagpu/io"
)

// The output is opened when there is something to write. These checks come first:
// a run of an hour must not fail at a misspelt directory, and must never
// overwrite its input.

// namedPath is a file of the command line: an operand, or a flag's value, or a
// standard stream.
type namedPath struct {
	flag string // "" for an operand and a standard stream
	path string
	info os.FileInfo // nil if there is no such file
	std  bool        // a standard stream: path is its name
}

func newPath(flag, path string) namedPath {
	info, _ := os.Stat(path) // what is wrong with it, opening it will tell
	return namedPath{flag: flag, path: path, info: info}
}

// stdPath is a standard stream, whose file the shell may have opened.
func stdPath(name string, stream any) namedPath {
	p := namedPath{path: name, std: true}
	if f, ok := stream.(*os.File); ok {
		p.info, _ = f.Stat()
	}
	return p
}

// String is how messages name the file.
func (p namedPath) String() string {
	if p.flag == "" {
		return p.path
	}
	return p.flag + " " + p.path
}

// checkInputs refuses a pipe that is both the query and the target: each would get
// parts of what is written to it.
func checkInputs(inputs []namedPath) error {
	for i, in := range inputs {
		for _, other := range inputs[:i] {
			if in.info != nil && !in.info.Mode().IsRegular() && in.leadsTo(other, os.ModeNamedPipe) {
				return usagef("%v and %v are the same pipe: want one for queries and one for targets", other, in)
			}
		}
	}
	return nil
}

// checkOutputs refuses outputs that could not be created, that are read by
// the same run, or that coincide.
func checkOutputs(outputs, inputs []namedPath) error {
	for i, out := range outputs {
		if !out.std {
			// Create creates no file yet, and returns what would prevent it.
			if _, err := seqio.Create(out.path, nil); err != nil {
				return usagef("%s: %w", out.flag, err)
			}
		}
		for _, in := range inputs {
			if out.leadsTo(in, os.ModeNamedPipe) {
				return usagef("%v would overwrite an input file", out)
			}
		}
		for _, other := range outputs[:i] {
			if out.leadsTo(other, 0) {
				return usagef("%s and %s name the same file %s", other.title(), out.title(), out.path)
			}
		}
	}
	return nil
}

// title is the flag or the standard stream.
func (p namedPath) title() string {
	if p.flag == "" {
		return p.path
	}
	return p.flag
}

// leadsTo reports whether both lead to one plain file, or to one file of the type
// also. Other devices and pipes may be named several times.
func (p namedPath) leadsTo(q namedPath, also os.FileMode) bool {
	if p.info != nil && q.info != nil {
		plain := p.info.Mode().IsRegular() || p.info.Mode().Type() == also
		return plain && os.SameFile(p.info, q.info)
	}
	if p.info != nil || q.info != nil || p.std || q.std {
		return false
	}
	return filepath.Clean(p.path) == filepath.Clean(q.path)
}
