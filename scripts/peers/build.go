package peers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"wfagpu/align/aligntest/wfa2"
)

// Build compiles the peer's driver into dir, for this machine or, with carry, for
// another one: linked statically if the library allows it, otherwise with its shared
// libraries beside it.
func (p Peer) Build(ctx context.Context, dir string, carry bool) (*Driver, error) {
	if err := p.Missing(); err != nil {
		return nil, err
	}
	sources := filepath.Join(dir, "src", p.Name)
	if err := os.MkdirAll(sources, 0o755); err != nil {
		return nil, err
	}
	compiler, source := "gcc", filepath.Join(sources, "driver.c")
	args := []string{"-O3", "-fopenmp", "-I" + sources}
	if p.cplus {
		// The library is its headers, so that the target CPU of this
		// compilation matters. It checks its own work unless it is told not to.
		compiler, source = "g++", filepath.Join(sources, "driver.cc")
		args = append(args, "-std=c++17", "-DNDEBUG", "-DSEQAN_ENABLE_DEBUG=0", "-DSEQAN_SIMD_ENABLED", "-march=native")
		if carry {
			args[len(args)-1] = "-march=x86-64-v3"
		}
	}
	for file, text := range map[string]string{source: p.source, filepath.Join(sources, "driver.h"): wfa2.Header} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	out := filepath.Join(dir, p.Name)
	if carry && p.noStatic {
		out = filepath.Join(dir, "lib", p.Name)
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			return nil, err
		}
	} else if carry {
		args = append(args, "-static", "-s")
	}
	args = append(append(append(args, p.include...), source, "-o", out), p.link...)
	if text, err := exec.CommandContext(ctx, compiler, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", compiler, strings.Join(args, " "), err, text)
	}
	if carry && p.noStatic {
		launcher, err := carryLibraries(ctx, dir, p.Name)
		return &Driver{Peer: p, path: launcher}, err
	}
	return &Driver{Peer: p, path: out}, nil
}

// carryLibraries copies the shared libraries of the driver DIR/lib/NAME beside it,
// with the C library and its loader, so that it runs on a machine with another C
// library. It writes the script that runs it.
func carryLibraries(ctx context.Context, dir, name string) (string, error) {
	text, err := exec.CommandContext(ctx, "ldd", filepath.Join(dir, "lib", name)).Output()
	if err != nil {
		return "", fmt.Errorf("ldd: %w", err)
	}
	var loader string
	for line := range strings.Lines(string(text)) {
		// "libm.so.6 => /lib/libm.so.6 (0x…)", or the loader without an arrow
		_, path, found := strings.Cut(line, " => ")
		if !found {
			path = line
		}
		path, _, _ = strings.Cut(strings.TrimSpace(path), " ")
		if !strings.HasPrefix(path, "/") {
			continue // what the kernel provides
		}
		if !found {
			loader = filepath.Base(path)
		}
		library, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, "lib", filepath.Base(path)), library, 0o755); err != nil {
			return "", err
		}
	}
	if loader == "" {
		return "", fmt.Errorf("ldd names no loader for %s:\n%s", name, text)
	}
	launcher := filepath.Join(dir, name)
	script := fmt.Sprintf("#!/bin/sh\nlib=$(dirname \"$0\")/lib\nexec \"$lib/%s\" --library-path \"$lib\" \"$lib/%s\" \"$@\"\n", loader, name)
	return launcher, os.WriteFile(launcher, []byte(script), 0o755)
}

// Prebuilt is the peer's driver in a directory of built ones.
func (p Peer) Prebuilt(dir string) (*Driver, error) {
	path := filepath.Join(dir, p.Name)
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return &Driver{Peer: p, path: path}, nil
}
