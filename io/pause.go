package seqio

import (
	"io"
	"time"
)

// A program that writes pairs to a pipe one at a time, and waits for each result,
// gets it: a pipe that pauses yields the pairs it has given so far as a batch.
// Files, and compressed pipes, are read in full blocks.

const (
	// pause is how long a pipe has to be silent, and longRead how long one read
	// of a pipe that is never silent, and slow, may take. Both grow with the
	// text of an incomplete record, which is scanned again after each read, by
	// pausePerByte and ten times as much: a hundredth of the time or so goes into
	// scanning.
	pause        = 10 * time.Millisecond
	longRead     = 10 * pause
	pausePerByte = 10 * time.Nanosecond
)

// live reports whether the text may pause and the source can tell.
func (s *source) live() bool { return s.pipe != nil && !s.packed() }

// more reports whether there is text, or its end, within d.
func (s *source) more(d time.Duration) bool {
	return !s.live() || s.body.Buffered() > 0 || readable(s.pipe, d)
}

// readSome is readFull, except that it also returns when a pipe pauses after the
// first byte, or, if the caller has pairs to deliver, before it. held is the
// length of the incomplete record that the caller has.
func (s *source) readSome(p []byte, held int, deliver bool) (n int, paused bool, err error) {
	if !s.live() {
		n, err = s.readFull(p)
		return n, false, err
	}
	silence := pause + time.Duration(held)*pausePerByte
	begun := time.Now()
	for idle := 0; n < len(p) && err == nil; idle++ {
		if n > 0 || deliver {
			if time.Since(begun) > longRead/pause*silence || !s.more(silence) {
				return n, true, nil
			}
		}
		var m int
		m, err = s.body.Read(p[n:])
		if m > 0 {
			if n == 0 {
				begun = time.Now()
			}
			n, idle = n+m, 0
		}
		if idle == 100 {
			return n, false, io.ErrNoProgress
		}
	}
	return n, false, err
}

// peekHead returns the first bytes of the text, at most headBytes. Of a pipe that
// pauses it takes what there is.
func (s *source) peekHead() []byte {
	if !s.live() {
		head, _ := s.body.Peek(headBytes)
		return head
	}
	begun := time.Now()
	for have := s.body.Buffered(); have < headBytes && time.Since(begun) < longRead && readable(s.pipe, pause); {
		s.body.Peek(have + 1)
		if have == s.body.Buffered() {
			break // the end, or an error that the first Read repeats
		}
		have = s.body.Buffered()
	}
	head, _ := s.body.Peek(min(s.body.Buffered(), headBytes))
	return head
}
