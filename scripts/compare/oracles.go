package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"wfagpu/align/aligntest/wfa2"
	"wfagpu/scripts/peers"
)

// oracle is a program that scores pairs.
type oracle struct {
	name   string
	scores func(ctx context.Context, s set, seq io.Reader) ([]int, error)
}

// globalOracles are WFA2-lib and, for edit distances, Edlib.
func globalOracles(ctx context.Context, dir string, edit bool) ([]oracle, error) {
	library, err := wfa2.Installed()
	if err != nil {
		return nil, fmt.Errorf("WFA2-lib is needed (Debian: libwfa2-dev): %w", err)
	}
	driver, err := wfa2.Build(library, dir)
	if err != nil {
		return nil, err
	}
	oracles := []oracle{{"WFA2-lib", func(ctx context.Context, s set, seq io.Reader) ([]int, error) {
		memory := wfa2.High
		if s.pairs.Length >= 10_000 {
			memory = wfa2.UltraLow
		}
		return driver.Scores(ctx, seq, wfa2.Options{Penalties: s.scheme.Penalties, Memory: memory})
	}}}
	if !edit {
		return oracles, nil
	}
	edlib, err := peerOracle(ctx, dir, "edlib")
	return append(oracles, edlib), err
}

// peerOracle builds the driver of a peer.
func peerOracle(ctx context.Context, dir, name string) (oracle, error) {
	all := peers.Packaged()
	i := slices.IndexFunc(all, func(p peers.Peer) bool { return p.Name == name })
	driver, err := all[i].Build(ctx, dir, false)
	if err != nil {
		return oracle{}, err
	}
	return oracle{driver.Peer.Family, func(ctx context.Context, s set, seq io.Reader) ([]int, error) {
		return driver.Scores(ctx, seq, peers.Run{
			Penalties: s.scheme.Penalties, Match: s.scheme.Match, LongGap: s.scheme.LongGap, Span: s.span, Free: s.free, ZDrop: s.zdrop,
		})
	}}, nil
}

// spanOracles builds the drivers of all programs that sets name, by their names.
func spanOracles(ctx context.Context, dir string, sets []set) (map[string]oracle, error) {
	built := map[string]oracle{}
	for _, s := range sets {
		for _, name := range s.oracles {
			if _, ok := built[name]; ok {
				continue
			}
			o, err := peerOracle(ctx, dir, name)
			if err != nil {
				return nil, err
			}
			built[name] = o
		}
	}
	return built, nil
}
