package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"wfagpu/align"
	"wfagpu/scripts/internal/bandrule"
	"wfagpu/scripts/internal/recall"
)

// rulesLambda is the λ at which the rules are compared.
const rulesLambda = 25

var bandRules = []bandrule.Rule{bandrule.ByDegrees, bandrule.AtOnce}

// ruleCell is the result of one rule on a set, at one width of the band.
type ruleCell struct {
	recall.Tally
	lost int
}

// found is the share of pairs, in %, whose optimum is found inside the band.
func (c ruleCell) found(pairs int) float64 { return 100 * float64(c.Optimal) / float64(pairs) }

// runRules compares the rule of package align with that of the paper.
func (m *bandmap) runRules(ctx context.Context) error {
	var text strings.Builder
	m.page.provenance(&text)
	fmt.Fprintf(&text, `Scores by plain Go code for both rules (scripts/internal/bandrule), which differ
only in how far the band moves; penalties %v, λ %d. Recall is the share of all
pairs whose optimum is found inside the band. Lost pairs have no score inside the
band; excess is that of the others.
`, m.penalties, rulesLambda)
	tsv, err := os.Create(filepath.Join(m.out, "rules.tsv"))
	if err != nil {
		return err
	}
	defer tsv.Close()
	fmt.Fprintln(tsv, "set\tpenalties\trule\tband\tlambda\tpairs\trecall_pct\texcess_pct\tlost_pct")
	err = m.each(func(s approxSet) error {
		fmt.Fprintf(os.Stderr, "bench: %s: %d pairs\n", s.title, len(s.pairs))
		e, err := align.New(align.Options{Penalties: m.penalties, ScoreOnly: true, Threads: m.threads})
		if err != nil {
			return err
		}
		optima := &align.Batch{First: 1, Pairs: s.pairs}
		if err := e.AlignBatch(ctx, optima); err != nil {
			return err
		}
		return m.compareRules(ctx, &text, tsv, s, optima.Results)
	})
	if err != nil {
		return err
	}
	return m.write("rules.md", text.String())
}

func (m *bandmap) compareRules(ctx context.Context, text, tsv io.Writer, s approxSet, optima []align.Result) error {
	fmt.Fprintf(text, "\n### %s\n\n%s pairs.\n\n", s.title, grouping(len(s.pairs)))
	heads := []string{"β"}
	for _, what := range []string{"recall, %", "excess, %", "lost, %"} {
		for _, rule := range bandRules {
			heads = append(heads, fmt.Sprintf("%s: %v", what, rule))
		}
	}
	line(text, heads)
	fmt.Fprintf(text, "|%s\n", strings.Repeat("---|", len(heads)))
	n := len(s.pairs)
	for _, band := range bands {
		if band == 0 {
			continue
		}
		var recalls, excesses, losses []string
		for _, rule := range bandRules {
			c, err := m.byRule(ctx, s.pairs, optima, bandrule.AdaptiveBand{Band: band, Lambda: rulesLambda}, rule)
			if err != nil {
				return err
			}
			lost := 100 * float64(c.lost) / float64(n)
			excess := "n/a"
			if c.Checked > 0 {
				excess = percent(c.Excess())
			}
			recalls, excesses, losses = append(recalls, percent(c.found(n))), append(excesses, excess), append(losses, percent(lost))
			if _, err := fmt.Fprintf(tsv, "%s\t%v\t%v\t%d\t%d\t%d\t%.3f\t%.5f\t%.3f\n",
				s.title, m.penalties, rule, band, rulesLambda, n, c.found(n), c.Excess(), lost); err != nil {
				return err
			}
		}
		line(text, append(append(append([]string{fmt.Sprint(band)}, recalls...), excesses...), losses...))
	}
	return nil
}

// byRule scores all pairs, several at a time.
func (m *bandmap) byRule(ctx context.Context, pairs []align.Pair, optima []align.Result, band bandrule.AdaptiveBand, rule bandrule.Rule) (ruleCell, error) {
	scores, found := make([]int, len(pairs)), make([]bool, len(pairs))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, m.threads) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(pairs)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				scores[i], found[i] = bandrule.Score(pairs[i].Pattern, pairs[i].Text, m.penalties, band, rule)
			}
		})
	}
	wg.Wait()
	var c ruleCell
	if ctx.Err() != nil {
		return c, ctx.Err()
	}
	for i := range pairs {
		if !found[i] {
			c.lost++
		} else if err := c.AddScore(optima[i].Score, scores[i]); err != nil {
			return c, err
		}
	}
	if c.Invalid > 0 {
		return c, c.First
	}
	return c, nil
}
