package main

import (
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"
)

// isTerminal reports whether v is a terminal.
func isTerminal(v any) bool {
	f := streamFile(v)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// terminalColumns is the width of a terminal, 0 if unknown.
func terminalColumns(v any) int {
	f := streamFile(v)
	if f == nil {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// streamFile is the file of a stream, nil if it is none.
func streamFile(v any) *os.File {
	if s, ok := v.(*stoppableWriter); ok {
		v = s.w
	}
	f, _ := v.(*os.File)
	return f
}

// clipper cuts what is written to the width of a terminal, less one column: a line
// that wraps cannot be drawn over.
type clipper struct {
	w       io.Writer
	columns func() int // 0 for any
	column  int
	out     []byte
}

func (c *clipper) Write(text []byte) (int, error) {
	most := c.columns()
	c.out = c.out[:0]
	escape := false
	for _, r := range string(text) {
		switch {
		case escape:
			// A sequence ends with a letter; [ only begins it.
			escape = r < 'A' || r == '['
		case r == '\x1b':
			escape = true
		case r == '\r' || r == '\n':
			c.column = 0
		default:
			c.column++
			if most > 0 && c.column >= most {
				continue
			}
		}
		c.out = utf8.AppendRune(c.out, r)
	}
	if _, err := c.w.Write(c.out); err != nil {
		return 0, err
	}
	return len(text), nil
}
