package gpu

import (
	"bytes"
	"context"
	"slices"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
)

// words is the room that a sequence takes in a load.
func words(n int) int { return (n + letterUnit - 1) / letterUnit }

// cut returns the end of the load that begins at pair from. All goroutines of a
// batch wait for one another here, and going through a load takes as long as
// memory does to deliver its pairs. So pairs that seem to be short all are one
// load; where they are not, stage stops early and run goes on from there.
func cut(pairs []align.Pair, from int) int {
	room, to := laneWords, from
	if most := min(len(pairs)-from, lanePairs); seemShort(pairs[from : from+most]) {
		return from + most
	}
	for ; to < len(pairs) && to-from < lanePairs; to++ {
		room -= words(len(pairs[to].Pattern)) + words(len(pairs[to].Text))
		if room < 0 && to > from {
			break
		}
	}
	return to
}

// seemShort reports whether many pairs are likely to fit into a load, by a few of
// them from all over.
func seemShort(pairs []align.Pair) bool {
	const looks = 256
	if len(pairs) < 16*looks {
		return false
	}
	// A stretch of pairs for each look, of which it takes any: lengths may go
	// up and down in step with stretches.
	stretch := len(pairs) / looks
	sum, any := 0, uint32(1)
	for i := range looks {
		any = any*1664525 + 1013904223
		p := &pairs[i*stretch+int(uint64(any)*uint64(stretch)>>32)]
		sum += words(len(p.Pattern)) + words(len(p.Text))
	}
	return sum <= laneWords/16*15/(len(pairs)/looks+1)
}

// run aligns the pairs [from, to) of a batch whose results are prepared. When
// it returns, the device has let go of them, whatever happened. The lane's left
// then lists the pairs that are not finished.
func (l *lane) run(ctx context.Context, b *align.Batch, from, to int) error {
	l.left = l.left[:0]
	if most := l.e.rowBudget; l.rowBudget < most {
		// Memory was scarce; it may be back.
		l.setRowBudget(min(2*max(l.rowBudget, minRows), most))
	}
	for from < to {
		l.stats = Stats{}
		end, err := l.load(ctx, b, from, to)
		if err != nil {
			// Copies to and from the lane's memory may be under way.
			l.stream.Synchronize()
			return err
		}
		l.e.finished(l)
		from = end
	}
	return nil
}

// load aligns pairs from from on, up to to if there is room for them, and
// returns the end of those.
func (l *lane) load(ctx context.Context, b *align.Batch, from, to int) (end int, err error) {
	l.e.estimate.rates(&l.rates)
	end = l.stage(b, from, to)
	if len(l.index) == 0 {
		return end, nil
	}
	if err := l.upload(); err != nil {
		return 0, err
	}
	for len(l.todo) > 0 {
		if err := l.round(ctx, b); err != nil {
			return 0, err
		}
	}
	return end, nil
}

// stage puts the sequences of pairs from from on, up to to if there is room for
// them, into pinned memory, packed if the host does that, and makes a task of
// every pair. It returns the end of those. Pairs with an empty sequence are
// answered here.
func (l *lane) stage(b *align.Batch, from, to int) (end int) {
	l.starts.forget()
	l.tally.clear()
	l.room = 0
	index := slices.Grow(l.index[:0], to-from)[:to-from]
	todo := slices.Grow(l.todo[:0], to-from)[:to-from]
	pairs := l.pairs[:to-from]
	j := 0  // staged so far
	at := 0 // in words
	for i := from; i < to; i++ {
		p := &b.Pairs[i]
		n, m := len(p.Pattern), len(p.Text)
		if n == 0 || m == 0 {
			if noLetter(p.Pattern) || noLetter(p.Text) {
				l.leave(b, i, errLetters)
			} else {
				l.trivial(&b.Results[i], n, m)
			}
			continue
		}
		text := at + words(n)
		after := text + words(m)
		if after > laneWords {
			if at > 0 {
				to = i
				break
			}
			l.leave(b, i, errLength)
			continue
		}
		s := l.starts.of(n, m)
		var err error
		if !s.is(n, m) {
			err = l.start(s, n, m)
		}
		if err == errLength {
			l.leave(b, i, errLength)
			continue
		}
		if !l.e.packs {
			copy(l.letters[at*letterUnit:], p.Pattern)
			copy(l.letters[text*letterUnit:], p.Text)
		} else if !packPair(l.bases[at:], p, &b.Pairs[min(i+aheadPairs, to-1)]) {
			l.leave(b, i, errLetters)
			continue
		}
		if err != nil {
			l.leave(b, i, err)
			continue
		}
		pairs[j] = pairEntry{
			pattern: uint32(at), text: uint32(text), patternLength: int32(n), textLength: int32(m),
		}
		at = after
		index[j] = int32(i)
		// Field by field: a whole task is put together elsewhere first, and
		// bytes that are read as a word right after cost tens of cycles.
		t := &todo[j]
		t.pair, t.limit = int32(j), s.limit
		t.variant, t.class, t.attempts = s.variant, s.class, 0
		s.count++
		j++
	}
	l.index, l.todo = index[:j], todo[:j]
	for i := range l.starts {
		l.tallyStart(&l.starts[i])
	}
	l.staged = true
	l.sequences = at * letterUnit
	if l.e.packs {
		l.sequences = at * 4
	}
	return to
}

// noLetter reports whether s holds a byte for which the CPU engine has an error.
func noLetter(s []byte) bool { return bytes.IndexByte(s, 0) >= 0 || bytes.IndexByte(s, 0xff) >= 0 }

// trivial answers a pair with an empty sequence: one gap, or nothing at all.
func (l *lane) trivial(r *align.Result, pattern, text int) {
	r.Score = l.e.scale * l.e.penalties.Gap(pattern+text)
	if !l.e.scoreOnly {
		r.CIGAR = r.CIGAR[:0].Append(cigar.Ins, pattern).Append(cigar.Del, text)
	}
	l.stats.Trivial++
}

// leave hands a pair of the batch to another engine.
func (l *lane) leave(b *align.Batch, i int, cause error) {
	r := &b.Results[i]
	r.Score, r.CIGAR, r.Err = 0, r.CIGAR[:0], cause
	l.left = append(l.left, int32(i))
	l.stats.unfinished(cause)
}

func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// upload copies the staged pairs to the device, packed in the end, with results
// that say nothing yet.
func (l *lane) upload() error {
	n := len(l.index)
	if err := l.stream.ToDevice(l.dev.pairs, bytesOf(l.pairs[:n])); err != nil {
		return err
	}
	if l.e.packs {
		if err := l.stream.ToDevice(l.dev.bases, bytesOf(l.bases)[:l.sequences]); err != nil {
			return err
		}
		return l.stream.Fill(l.dev.results, unreached, n*resultBytes)
	}
	if err := l.stream.ToDevice(l.dev.letters, l.letters[:l.sequences]); err != nil {
		return err
	}
	return l.launchPack(n)
}
