package main

import (
	"context"
	"fmt"
	"os"

	"wfagpu/align/aligntest/wfa2"
	"wfagpu/scripts/peers"
)

// buildPeers compiles the driver with every build of WFA2-lib available: the
// packaged one, and one from source as its authors build it. The last one, which
// is the faster, is the reference of ratios.
func buildPeers(ctx context.Context, dir string) ([]*wfa2.Driver, error) {
	var drivers []*wfa2.Driver
	add := func(l wfa2.Library, err error) {
		if err == nil {
			var d *wfa2.Driver
			if d, err = wfa2.Build(l, dir); err == nil {
				drivers = append(drivers, d)
				return
			}
		}
		fmt.Fprintf(os.Stderr, "bench: without %s: %v\n", l.Name, err)
	}
	add(wfa2.Installed())

	tree, err := peers.FetchWFA2(ctx, dir)
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: without WFA2-lib from source: %v\n", err)
	} else {
		add(wfa2.Rebuilt(tree))
	}
	if len(drivers) == 0 {
		return nil, fmt.Errorf("no WFA2-lib to compare with: install Debian's libwfa2-dev and gcc")
	}
	return drivers, nil
}
