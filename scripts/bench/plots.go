package main

import (
	"context"
	"path/filepath"
)

// plots draws the exact rates as Figure 3 of the paper does, with the fastest
// variant of every tool, and returns links to the pictures by group.
func (c *paperConfig) plots(ctx context.Context, done []*outcome) (map[string]string, error) {
	var simulated, real []*outcome
	for _, o := range done {
		if o.real {
			real = append(real, o)
		} else {
			simulated = append(simulated, o)
		}
	}
	links := map[string]string{}
	for _, p := range []struct {
		name, title string
		outcomes    []*outcome
	}{
		{"simulated", "Exact alignments with CIGAR, simulated pairs; the fastest variant of each library", simulated},
		{"real", "Exact alignments with CIGAR, real reads; the fastest variant of each library", real},
	} {
		if len(p.outcomes) == 0 {
			continue
		}
		svg, err := c.plotter.draw(ctx, filepath.Join(c.out, p.name), figure{Bars: c.bars(p.title, p.outcomes)})
		if err != nil {
			return nil, err
		}
		link, err := c.page.picture(svg)
		if err != nil {
			return nil, err
		}
		// The plot follows the last group's tables.
		links[p.outcomes[len(p.outcomes)-1].group] = link
	}
	return links, nil
}

func (c *paperConfig) bars(title string, outcomes []*outcome) *barChart {
	b := &barChart{Title: title, YLabel: "alignments per second"}
	for _, o := range outcomes {
		b.Groups = append(b.Groups, o.title)
	}
	for _, name := range families(outcomes, c.threads) {
		s := barSeries{Name: name}
		for _, o := range outcomes {
			s.Values = append(s.Values, fastest(o.rows, func(r *row) bool {
				return r.family == name && r.mode == exactCIGAR
			}))
		}
		b.Series = append(b.Series, s)
	}
	return b
}
