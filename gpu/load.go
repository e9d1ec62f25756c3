package gpu

import (
	"bytes"
	"context"
	"unsafe"

	"wfagpu/align"
	"wfagpu/cigar"
)

// words is the room that a sequence takes in a load.
func words(n int) int { return (n + letterUnit - 1) / letterUnit }

// cut returns the end of the load that begins at pair from.
func cut(pairs []align.Pair, from int) int {
	room, to := laneWords, from
	for ; to < len(pairs) && to-from < lanePairs; to++ {
		room -= words(len(pairs[to].Pattern)) + words(len(pairs[to].Text))
		if room < 0 && to > from {
			break
		}
	}
	return to
}

// run aligns the pairs [from, to) of a batch whose results are prepared. When
// it returns, the device has let go of them, whatever happened. The lane's left
// then lists the pairs that are not finished.
func (l *lane) run(ctx context.Context, b *align.Batch, from, to int) error {
	l.stats = Stats{}
	l.left = l.left[:0]
	if most := l.e.rowBudget; l.rowBudget < most {
		// Memory was scarce; it may be back.
		l.setRowBudget(min(2*max(l.rowBudget, minRows), most))
	}
	err := l.load(ctx, b, from, to)
	if err != nil {
		// Copies to and from the lane's memory may be under way.
		l.stream.synchronize()
		return err
	}
	l.e.finished(l)
	return nil
}

func (l *lane) load(ctx context.Context, b *align.Batch, from, to int) error {
	l.e.estimate.rates(&l.rates)
	l.stage(b, from, to)
	if len(l.index) == 0 {
		return nil
	}
	if err := l.upload(); err != nil {
		return err
	}
	for len(l.todo) > 0 {
		if err := l.round(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// stage puts the sequences into pinned memory, packed if the host does that,
// and makes a task of every pair. Pairs with an empty sequence are answered
// here.
func (l *lane) stage(b *align.Batch, from, to int) {
	l.index = l.index[:0]
	l.todo = l.todo[:0]
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
		end := text + words(m)
		// Limits are at least the cost of the difference in length.
		if end > laneWords || l.e.penalties.LengthGap(n, m) > maxLimit {
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
		j := len(l.index)
		l.pairs[j] = pairEntry{
			pattern: uint32(at), text: uint32(text), patternLength: int32(n), textLength: int32(m),
		}
		at = end
		l.index = append(l.index, int32(i))
		t := task{pair: int32(j), class: uint8(lengthClass(max(n, m)))}
		if err := l.begin(&t, n, m); err != nil {
			l.leave(b, i, err)
			continue
		}
		l.todo = append(l.todo, t)
	}
	l.sequences = at * letterUnit
	if l.e.packs {
		l.sequences = at * 4
	}
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
	if err := l.stream.toDevice(l.dev.pairs, bytesOf(l.pairs[:n])); err != nil {
		return err
	}
	if l.e.packs {
		if err := l.stream.toDevice(l.dev.bases, bytesOf(l.bases)[:l.sequences]); err != nil {
			return err
		}
		return l.stream.fill(l.dev.results, unreached, n*resultBytes)
	}
	if err := l.stream.toDevice(l.dev.letters, l.letters[:l.sequences]); err != nil {
		return err
	}
	return l.launchPack(n)
}
