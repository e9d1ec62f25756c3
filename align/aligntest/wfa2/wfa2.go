// Package wfa2 builds and runs a small C driver around WFA2-lib (Marco-Sola et al. 2021), an
// implementation that shares nothing with package align: the oracle of a test, and a peer in
// benchmarks.
package wfa2

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Source is the driver's, Header what it includes: reading pairs, threads, the clock and the
// results, which drivers around other libraries share.
//
//go:embed driver/driver.c
var Source string

//go:embed driver/driver.h
var Header string

// Library is a build of WFA2-lib to link with.
type Library struct {
	Name    string // for tables
	short   string // for file names
	include string
	link    []string
}

// Installed is the library as Debian's libwfa2-dev installs it. The error says
// what is missing.
func Installed() (Library, error) {
	const include = "/usr/include/wfa2lib"
	l := Library{Name: "WFA2-lib as packaged", short: "packaged", include: include, link: []string{"-lwfa2"}}
	return l, l.check()
}

// Rebuilt is the library in a source tree where `make` has been run.
func Rebuilt(tree string) (Library, error) {
	archive := filepath.Join(tree, "lib", "libwfa.a")
	l := Library{Name: "WFA2-lib -O3 -march=native", short: "native", include: tree, link: []string{archive}}
	if _, err := os.Stat(archive); err != nil {
		return l, err
	}
	return l, l.check()
}

func (l Library) check() error {
	if _, err := exec.LookPath("gcc"); err != nil {
		return err
	}
	_, err := os.Stat(filepath.Join(l.include, "wavefront", "wavefront_align.h"))
	return err
}

// Driver is a compiled driver.
type Driver struct {
	Library Library
	path    string
}

// Build compiles the driver into dir.
func Build(l Library, dir string) (*Driver, error) {
	out, err := filepath.Abs(filepath.Join(dir, "wfa2-driver-"+l.short))
	if err != nil {
		return nil, err
	}
	source := out + ".c"
	if err := os.WriteFile(source, []byte(Source), 0o644); err != nil {
		return nil, err
	}
	header := filepath.Join(filepath.Dir(out), "driver.h")
	if err := os.WriteFile(header, []byte(Header), 0o644); err != nil {
		return nil, err
	}
	args := append([]string{"-O3", "-fopenmp", "-I" + filepath.Dir(out), "-I" + l.include, source, "-o", out}, l.link...)
	args = append(args, "-lm")
	if text, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gcc %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return &Driver{Library: l, path: out}, nil
}
