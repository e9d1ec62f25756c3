package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

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
	next, err := c.set.source()
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
	each := min(c.count, max(1, portionBases/max(1, c.set.pairs.Length)))
	for first := 0; first < c.count && ctx.Err() == nil; first += each {
		portions <- newPortion(next, first, min(each, c.count-first))
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

// source returns a function that returns the next pair, in memory of its own.
func (s set) source() (func() (pattern, text []byte), error) {
	r := rand.New(rand.NewPCG(s.pairs.Seed, 14))
	flanked := func(text []byte) []byte {
		text = bytes.Clone(text)
		if s.flanks > 0 {
			text = flank(r, s.spanned, text, s.flanks)
		}
		return text
	}
	if s.real != "" {
		i := 0
		return func() (pattern, text []byte) {
			i++
			return s.batch[i-1].Pattern, flanked(s.batch[i-1].Text)
		}, nil
	}
	g, err := simulate.New(s.pairs)
	return func() (pattern, text []byte) {
		pattern, text = g.Next()
		return bytes.Clone(pattern), flanked(text)
	}, err
}

func newPortion(next func() (pattern, text []byte), first, count int) *portion {
	p := &portion{first: first}
	for range count {
		pattern, text := next()
		p.batch.Pairs = append(p.batch.Pairs, align.Pair{Pattern: pattern, Text: text})
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
			problem = c.check(&pair, &r)
		}
		same := scores[i].Score == r.Score && problem == nil
		var others []string
		for j, o := range c.oracles {
			same = same && c.agrees(&pair, r.Score, theirs[j][i])
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

// options are those of the set.
func (s spanned) options() align.Options {
	return align.Options{
		Penalties: s.scheme.Penalties, Match: s.scheme.Match, LongGap: s.scheme.LongGap, Span: s.span, Free: s.free, ZDrop: s.zdrop,
	}
}

// agrees reports whether another program's score is ours, apart from what it defines otherwise:
// Parasail aligns one letter at least, and of several best cells of an antidiagonal, of which a
// z-drop looks at one, ksw2 takes another one.
func (s spanned) agrees(p *align.Pair, ours, theirs int) bool {
	switch {
	case ours == theirs:
		return true
	case s.span == align.EndsFree && s.scheme.Match > 0 && theirs < 0:
		model, err := s.options().Model()
		n, m := len(p.Pattern), len(p.Text)
		empty := model.Allows(align.Place{TextBegin: m, TextEnd: m}, n, m) ||
			model.Allows(align.Place{PatternBegin: n, PatternEnd: n}, n, m)
		return err == nil && ours == 0 && empty
	case s.zdrop > 0:
		definition := aligntest.Of(s.options())
		if definition.Align(p.Pattern, p.Text).Score != ours {
			return false
		}
		definition.KSW2Ties = true
		return definition.Align(p.Pattern, p.Text).Score == theirs
	}
	return false
}

// check replays an alignment.
func (s spanned) check(p *align.Pair, r *align.Result) error {
	model, err := s.options().Model()
	if err != nil {
		return err
	}
	at := r.Place
	if !model.Allows(at, len(p.Pattern), len(p.Text)) {
		return fmt.Errorf("the span does not allow %+v", at)
	}
	if err := r.CIGAR.Verify(p.Pattern[at.PatternBegin:at.PatternEnd], p.Text[at.TextBegin:at.TextEnd]); err != nil {
		return err
	}
	values := s.scheme.Values()
	score, err := values.Of(r.CIGAR)
	if err == nil && score != r.Score {
		err = fmt.Errorf("the CIGAR %v is worth %d", r.CIGAR, score)
	}
	return err
}

// align returns the results of a fresh engine over the portion's pairs.
func (c *comparison) align(ctx context.Context, p *portion, scoreOnly bool) ([]align.Result, error) {
	o := c.options()
	o.ScoreOnly, o.Threads, o.Level = scoreOnly, 1, c.level
	e, err := align.New(o)
	if err != nil {
		return nil, err
	}
	b := align.Batch{Pairs: p.batch.Pairs}
	if err := e.AlignBatch(ctx, &b); err != nil {
		return nil, err
	}
	return b.Results, nil
}
