package main

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/aligntest/wfa2"
	"wfagpu/align/simulate"
)

// comparison runs one set, a portion of its pairs at a time.
type comparison struct {
	set
	level  align.Level
	driver *wfa2.Driver

	mu                           sync.Mutex
	pairs, scoreSum, differences int
	err                          error
}

// portionBases bounds a portion, in bases of text.
const portionBases = 2_000_000

func (c *comparison) run(ctx context.Context, jobs int) error {
	g, err := simulate.New(c.set.pairs)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	portions := make(chan *portion)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for p := range portions {
				if err := c.compare(ctx, p); err != nil {
					c.fail(err)
					cancel()
				}
			}
		})
	}
	each := min(c.count, max(1, portionBases/c.set.pairs.Length))
	for first := 0; first < c.count && ctx.Err() == nil; first += each {
		portions <- newPortion(g, first, min(each, c.count-first))
	}
	close(portions)
	workers.Wait()
	if c.err == nil {
		return ctx.Err()
	}
	return c.err
}

func (c *comparison) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}

// portion is a part of a set, as a batch and as the .seq text that the peer reads.
type portion struct {
	first int
	batch align.Batch
	seq   bytes.Buffer
}

func newPortion(g *simulate.Generator, first, count int) *portion {
	p := &portion{first: first}
	for range count {
		pattern, text := g.Next()
		p.batch.Pairs = append(p.batch.Pairs, align.Pair{Pattern: bytes.Clone(pattern), Text: bytes.Clone(text)})
		fmt.Fprintf(&p.seq, ">%s\n<%s\n", pattern, text)
	}
	return p
}

func (c *comparison) compare(ctx context.Context, p *portion) error {
	memory := wfa2.High
	if c.set.pairs.Length >= 10_000 {
		memory = wfa2.UltraLow
	}
	theirs, err := c.driver.Scores(ctx, &p.seq, wfa2.Options{Penalties: c.penalties, Memory: memory})
	if err != nil {
		return err
	}
	if len(theirs) != len(p.batch.Pairs) {
		return fmt.Errorf("the peer gave %d scores for %d pairs", len(theirs), len(p.batch.Pairs))
	}
	full, err := c.align(ctx, p, false)
	if err != nil {
		return err
	}
	scores, err := c.align(ctx, p, true)
	if err != nil {
		return err
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	for i, want := range theirs {
		c.pairs++
		c.scoreSum += want
		pair, r := p.batch.Pairs[i], full[i]
		problem := r.Err
		if problem == nil {
			problem = aligntest.Check(pair.Pattern, pair.Text, c.penalties, r)
		}
		if r.Score == want && scores[i].Score == want && problem == nil {
			continue
		}
		if c.differences++; c.differences <= 3 {
			fmt.Printf("DIFFERENT: %v, seed %d, pair %d: ours %d, score-only %d, theirs %d (%v)\n>%s\n<%s\n",
				c.set, c.set.pairs.Seed, p.first+i, r.Score, scores[i].Score, want, problem, pair.Pattern, pair.Text)
		}
	}
	return nil
}

// align returns the results of a fresh engine over the portion's pairs.
func (c *comparison) align(ctx context.Context, p *portion, scoreOnly bool) ([]align.Result, error) {
	e, err := align.New(align.Options{Penalties: c.penalties, ScoreOnly: scoreOnly, Threads: 1, Level: c.level})
	if err != nil {
		return nil, err
	}
	b := align.Batch{Pairs: p.batch.Pairs}
	if err := e.AlignBatch(ctx, &b); err != nil {
		return nil, err
	}
	return b.Results, nil
}
