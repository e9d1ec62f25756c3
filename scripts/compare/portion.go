package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// oracle is a program that scores pairs.
type oracle struct {
	name   string
	scores func(ctx context.Context, s set, seq io.Reader) ([]int, error)
}

// comparison runs one set, a portion of its pairs at a time.
type comparison struct {
	set
	level   align.Level
	oracles []oracle

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
	theirs := make([][]int, len(c.oracles))
	for i, o := range c.oracles {
		scores, err := o.scores(ctx, c.set, bytes.NewReader(p.seq.Bytes()))
		if err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
		if len(scores) != len(p.batch.Pairs) {
			return fmt.Errorf("%s gave %d scores for %d pairs", o.name, len(scores), len(p.batch.Pairs))
		}
		theirs[i] = scores
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
	for i, pair := range p.batch.Pairs {
		c.pairs++
		c.scoreSum += theirs[0][i]
		r := full[i]
		problem := r.Err
		if problem == nil {
			problem = aligntest.Check(pair.Pattern, pair.Text, c.penalties, r)
		}
		same := scores[i].Score == r.Score && problem == nil
		var others []string
		for j, o := range c.oracles {
			same = same && theirs[j][i] == r.Score
			others = append(others, fmt.Sprintf("%s %d", o.name, theirs[j][i]))
		}
		if same {
			continue
		}
		if c.differences++; c.differences <= 3 {
			fmt.Printf("DIFFERENT: %v, seed %d, pair %d: ours %d, score-only %d, %s (%v)\n>%s\n<%s\n",
				c.set, c.set.pairs.Seed, p.first+i, r.Score, scores[i].Score, strings.Join(others, ", "), problem, pair.Pattern, pair.Text)
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
