package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"wfagpu/scripts/peers"
)

// runDrivers builds the peers' drivers for use on another machine.
func runDrivers(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("drivers", flag.ContinueOnError)
	out := f.String("out", "build/peers", "directory for the drivers")
	noNative := f.Bool("no-native", false, "do not fetch and build WFA2-lib from source")
	if err := f.Parse(args); err != nil {
		return err
	}
	c := &paperConfig{dir: "scripts/build", noNative: *noNative}
	built := c.build(ctx, *out, true)
	if len(built) == 0 {
		return fmt.Errorf("no library to build a driver for")
	}
	if err := os.RemoveAll(filepath.Join(*out, "src")); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(*out, versionsFile), []byte(packageVersions(ctx, built)+"\n"), 0o644)
}

// versionsFile, beside built drivers, lists the libraries they contain.
const versionsFile = "VERSIONS"

// drivers returns the drivers of CPU peers: those in the directory of -peers, or
// else newly compiled ones. Each missing one is reported in a line.
func (c *paperConfig) drivers(ctx context.Context) ([]*peers.Driver, error) {
	if c.tools == "-" {
		return c.external, nil
	}
	var found []*peers.Driver
	if c.peers == "" {
		found = c.build(ctx, filepath.Join(c.dir, "peers"), false)
		c.page.versions = packageVersions(ctx, found)
	} else {
		for _, p := range append(peers.Packaged(), peers.NativeWFA2("")) {
			if !c.wants(p) {
				continue
			}
			d, err := p.Prebuilt(c.peers)
			if err != nil {
				fmt.Fprintf(os.Stderr, "bench: without %s: %v\n", p.Name, err)
				continue
			}
			found = append(found, d)
		}
		versions, _ := os.ReadFile(filepath.Join(c.peers, versionsFile))
		c.page.versions = strings.TrimSpace(string(versions))
	}
	if len(found) == 0 && c.tools != "" {
		return nil, fmt.Errorf("no peer is like %q", c.tools)
	}
	return append(found, c.external...), nil
}

func (c *paperConfig) wants(p peers.Peer) bool {
	if c.tools == "" {
		return true
	}
	for _, part := range strings.Split(c.tools, ",") {
		if strings.Contains(p.Name, strings.ToLower(part)) {
			return true
		}
	}
	return false
}

// build compiles the drivers of the libraries that are installed.
func (c *paperConfig) build(ctx context.Context, dir string, carry bool) []*peers.Driver {
	var built []*peers.Driver
	add := func(p peers.Peer) {
		d, err := p.Build(ctx, dir, carry)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: without %s: %v\n", p.Name, err)
			return
		}
		built = append(built, d)
	}
	for _, p := range peers.Packaged() {
		if c.wants(p) {
			add(p)
		}
	}
	if c.noNative || !c.wants(peers.NativeWFA2("")) {
		return built
	}
	tree, err := peers.FetchWFA2(ctx, c.dir)
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: without WFA2-lib from source: %v\n", err)
		return built
	}
	add(peers.NativeWFA2(tree))
	return built
}

// packageVersions names the Debian packages of drivers with their versions,
// and the compiler.
func packageVersions(ctx context.Context, drivers []*peers.Driver) string {
	var parts []string
	seen := map[string]bool{}
	for _, d := range drivers {
		name := d.Peer.Package
		if seen[name] {
			continue
		}
		seen[name] = true
		version, err := exec.CommandContext(ctx, "dpkg-query", "-W", "-f", "${Version}", name).Output()
		if err == nil {
			parts = append(parts, name+" "+string(version))
		}
	}
	if version, err := exec.CommandContext(ctx, "gcc", "-dumpfullversion").Output(); err == nil {
		parts = append(parts, "gcc "+strings.TrimSpace(string(version)))
	}
	return strings.Join(parts, ", ")
}
