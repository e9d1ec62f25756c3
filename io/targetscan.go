package seqio

import (
	"bytes"
	"io"
)

// scanTargets calls visit with the targets of pairs files, the first of which has a number. It looks at every pair as
// seqPairs does and keeps none.
func scanTargets(paths []string, first int64, visit func(Target) error) error {
	ordinal := first - 1
	buf := make([]byte, 0, seqStep)
	for _, path := range paths {
		src, err := openSource(path, nil)
		if err != nil {
			return nil // a fault
		}
		whole := false
		if src.start() == nil {
			whole, buf, err = scanFile(src, buf, &ordinal, visit)
		}
		closeSource(src)
		if err != nil || !whole {
			return err
		}
	}
	return nil
}

// scanFile is scanTargets of one file that has been started. whole says that it has no fault. It returns
// the buffer, which a long pair makes larger.
func scanFile(src *source, buf []byte, ordinal *int64, visit func(Target) error) (whole bool, _ []byte, err error) {
	var readErr error
	used, n := 0, 0
	buf = buf[:0]
	for {
		for used < len(buf) {
			_, target, n := wholePair(buf[used:])
			var name []byte
			if n == 0 {
				pair, m, _, bad := cutPair(buf[used:], 1)
				if bad != nil {
					return false, buf, nil
				}
				if m == 0 {
					break
				}
				target, name, n = pair.Text, pair.TextName, m
			}
			used += n
			*ordinal++
			if err := visit(Target{Name: name, Ordinal: *ordinal, Letters: target, Length: len(target)}); err != nil {
				return false, buf, err
			}
		}
		if readErr != nil {
			return readErr == io.EOF && len(bytes.TrimRight(buf[used:], "\r\n")) == 0, buf, nil
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
