package emu

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// ErrNoCompiler: the machine has no C++ compiler, or the sources are missing.
var ErrNoCompiler = errors.New("no compiler for the emulation")

// CompilerVariable is the name of an environment variable: the compiler to use.
const CompilerVariable = "WFAGPU_EMULATION_COMPILER"

// FlagsVariable is the name of an environment variable: more compiler flags,
// separated by spaces, such as -fsanitize=undefined.
const FlagsVariable = "WFAGPU_EMULATION_FLAGS"

// compilers are tried in this order.
var compilers = []string{"clang-19", "clang", "g++"}

// flags are for clang and gcc. The code needs no C++ library.
var flags = []string{
	"-x", "c++", "-std=c++17", "-g1", "-fPIC", "-fvisibility=hidden",
	"-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-strict-aliasing", "-w",
}

// clangFlags disable unrolling: unrolled loops take long to compile.
var clangFlags = []string{"-mllvm", "-pragma-unroll-threshold=1"}

// gccFlags keep the shared memory of inline functions out of groups of their own, which gcc has no section for, and
// square roots out of the C library, which sets errno.
var gccFlags = []string{"-fno-weak", "-fno-math-errno"}

// units are the translation units in cuda/emu.
var units = []string{kernelsUnit, "block.cpp", "launch.cpp", "fault.cpp"}

// kernelsUnit takes most of the time.
const kernelsUnit = "kernels.cpp"

// hostFlags let halves of words be compared by one instruction, on processors that all have it.
func hostFlags() []string {
	if runtime.GOARCH == "amd64" {
		return []string{"-msse4.1"}
	}
	return nil
}

// optimization returns the flags of a unit. With all of -O2 the kernels take twice as long to compile.
func optimization(unit string) []string {
	if unit == kernelsUnit {
		return []string{"-O2", "-fno-inline-functions", "-fno-tree-vectorize", "-fno-tree-slp-vectorize"}
	}
	return []string{"-O2"}
}

// compiler is a C++ compiler.
type compiler struct {
	path    string
	version string
	flags   []string
}

func findCompiler() (*compiler, error) {
	candidates := compilers
	if c := os.Getenv(CompilerVariable); c != "" {
		candidates = []string{c}
	}
	for _, name := range candidates {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		version, err := exec.Command(path, "--version").Output()
		if err != nil {
			continue
		}
		c := &compiler{path: path, version: string(version), flags: append(hostFlags(), flags...)}
		if strings.Contains(c.version, "clang") {
			c.flags = append(c.flags[:len(c.flags):len(c.flags)], clangFlags...)
		} else {
			c.flags = append(c.flags[:len(c.flags):len(c.flags)], gccFlags...)
		}
		c.flags = append(c.flags, strings.Fields(os.Getenv(FlagsVariable))...)
		return c, nil
	}
	return nil, fmt.Errorf("%w: none of %s runs", ErrNoCompiler, strings.Join(candidates, ", "))
}

// sources returns the directory of the kernels' sources, cuda in the root of the
// module of the working directory.
func sources() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		cuda := filepath.Join(dir, "cuda")
		if _, err := os.Stat(filepath.Join(cuda, "emu", units[0])); err == nil {
			return cuda, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("%w: the kernels' sources are not there", ErrNoCompiler)
		}
		dir = parent
	}
}

// key returns the hash of all inputs of the shared object.
func (c *compiler) key(cuda string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%q\n", c.path, c.version, c.flags)
	for _, unit := range units {
		fmt.Fprintf(h, "%s %q\n", unit, optimization(unit))
	}
	for _, pattern := range []string{"*.cu", "*.cuh", "emu/*"} {
		names, err := filepath.Glob(filepath.Join(cuda, filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%s %d\n", filepath.Base(name), len(b))
			h.Write(b)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16]), nil
}

// build returns the path of the shared object and compiles it if it is not cached.
// Several processes may call it at a time.
func build() (string, error) {
	c, err := findCompiler()
	if err != nil {
		return "", err
	}
	cuda, err := sources()
	if err != nil {
		return "", err
	}
	key, err := c.key(cuda)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "wfagpu", "emulation")
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return "", err
	}
	unlock, err := lock(filepath.Join(cache, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	library := filepath.Join(cache, key+".so")
	if _, err := os.Stat(library); err == nil {
		return library, nil
	}
	removeOld(cache)
	return library, c.make(filepath.Join(cuda, "emu"), library)
}

// make compiles all units concurrently, links them, and moves the result to library.
func (c *compiler) make(from, library string) error {
	dir, err := os.MkdirTemp(filepath.Dir(library), "build")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var wg sync.WaitGroup
	objects, errs := make([]string, len(units)), make([]error, len(units))
	for i, unit := range units {
		objects[i] = filepath.Join(dir, unit+".o")
		wg.Go(func() {
			errs[i] = c.run(slices.Concat(optimization(unit), c.flags, []string{"-c", "-o", objects[i], filepath.Join(from, unit)})...)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	out := filepath.Join(dir, "out.so")
	link := append([]string{"-shared", "-Wl,-z,defs", "-o", out}, strings.Fields(os.Getenv(FlagsVariable))...)
	if err := c.run(append(link, objects...)...); err != nil {
		return err
	}
	return os.Rename(out, library)
}

func (c *compiler) run(args ...string) error {
	out, err := exec.Command(c.path, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", c.path, strings.Join(args, " "), err, out)
	}
	return nil
}

// kept is the largest number of shared objects in the cache.
const kept = 8

// removeOld removes the oldest shared object from a full cache.
func removeOld(cache string) {
	names, err := filepath.Glob(filepath.Join(cache, "*.so"))
	if err != nil || len(names) < kept {
		return
	}
	oldest, when := "", int64(0)
	for _, name := range names {
		info, err := os.Stat(name)
		if err == nil && (oldest == "" || info.ModTime().UnixNano() < when) {
			oldest, when = name, info.ModTime().UnixNano()
		}
	}
	os.Remove(oldest)
}
