package seqio

import (
	"bytes"
	"io"
)

// scanTargets has the targets of pairs files visited, the first of which has a number. It looks at
// every pair as seqPairs does and keeps none.
func scanTargets(paths []string, first int64, g *targetGroup) error {
	ordinal := first - 1
	for _, path := range paths {
		src, err := openSource(path, nil)
		if err != nil {
			return nil // a fault
		}
		whole := false
		if src.start() == nil {
			whole, err = scanFile(src, &ordinal, g)
		}
		closeSource(src)
		if err != nil || !whole {
			return err
		}
	}
	return nil
}

// scanFile is scanTargets of one file that has been started. whole says that it has no fault.
func scanFile(src *source, ordinal *int64, g *targetGroup) (whole bool, err error) {
	g.file = src.name
	var before recordLine
	if t := mapTargets(src); t != nil {
		err := t.take(g, t.nextPair(ordinal))
		t.close()
		if err != nil || t.ended() {
			return err == nil && !t.gone, err
		}
		if src.seek(t.at) != nil {
			return false, nil
		}
		before = recordLine{t.records, t.lines}
	}
	return scanRest(src, before, ordinal, g)
}

// scanRest is scanFile from where the source is, by reading. at is how many records and lines are
// before it.
func scanRest(src *source, at recordLine, ordinal *int64, g *targetGroup) (whole bool, err error) {
	buf := make([]byte, 0, seqStep)
	var readErr error
	used, n := 0, 0
	for {
		for used < len(buf) {
			pair, m, lines, bad := cutPair(buf[used:], 1)
			if bad != nil {
				return false, g.flush()
			}
			if m == 0 {
				break
			}
			_, blank := blankLines(buf[used:])
			used += m
			*ordinal++
			at.record++
			if err := g.add(Target{Name: pair.TextName, Ordinal: *ordinal, Letters: pair.Text, Length: len(pair.Text)}, recordLine{at.record, at.line + int64(blank) + 1}); err != nil {
				return false, err
			}
			at.line += int64(lines)
		}
		if err := g.flush(); err != nil {
			return false, err
		}
		if readErr != nil {
			return readErr == io.EOF && len(bytes.TrimRight(buf[used:], "\r\n")) == 0, nil
		}
		rest := buf[used:]
		if 2*len(rest) > cap(buf) {
			// Doubling keeps the work on a long pair linear.
			buf = append(make([]byte, 0, 2*cap(buf)), rest...)
		} else {
			buf = append(buf[:0], rest...)
		}
		used = 0
		// One byte stays free for the newline that the file's end may lack.
		n, readErr = src.readFull(buf[len(buf) : cap(buf)-1])
		buf = buf[:len(buf)+n]
		if readErr == io.EOF && len(buf) > 0 && buf[len(buf)-1] != '\n' {
			buf = append(buf, '\n')
		}
	}
}
