package seqio

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// randomText makes files.
type randomText struct{ rng *rand.Rand }

// spoil changes a byte of every eighth text.
func (w randomText) spoil(text string) string {
	if len(text) == 0 || w.rng.IntN(8) > 0 {
		return text
	}
	at := w.rng.IntN(len(text))
	if w.rng.IntN(2) == 0 {
		return text[:at]
	}
	return text[:at] + string("\n\r><@+A1"[w.rng.IntN(8)]) + text[at+1:]
}

// newline is the line end of one file.
func (w randomText) newline() string { return []string{"\n", "\n", "\r\n"}[w.rng.IntN(3)] }

func (w randomText) letters() string {
	n := w.rng.IntN(30) * w.rng.IntN(4)
	var b strings.Builder
	for range n {
		b.WriteByte("ACGTacgtN*"[w.rng.IntN(10)])
	}
	return b.String()
}

func (w randomText) blank(newline string) string {
	if w.rng.IntN(10) > 0 {
		return ""
	}
	return strings.Repeat(newline, w.rng.IntN(4))
}

// end takes away some of the last line ends.
func (w randomText) end(text, newline string) string {
	if w.rng.IntN(3) == 0 {
		return strings.TrimSuffix(text, newline)
	}
	return text
}

func (w randomText) pairs(n int) string {
	newline := w.newline()
	var b strings.Builder
	if w.rng.IntN(10) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	for range n {
		b.WriteString(">" + w.letters() + newline + w.blank(newline) + "<" + w.letters() + newline + w.blank(newline))
	}
	return w.end(b.String(), newline)
}

// fastx makes n records of one format, wrapped or not, some with headers and values
// that look like something else.
func (w randomText) fastx(n int) string {
	newline := w.newline()
	fasta, wrap := w.rng.IntN(2) == 0, 1000
	if w.rng.IntN(2) == 0 {
		wrap = 1 + w.rng.IntN(12)
	}
	var b strings.Builder
	for i := range n {
		letters := w.letters()
		name := fmt.Sprintf("r%d%s", i, []string{"", " >x", " @y", "/1", "/2 +"}[w.rng.IntN(5)])
		if fasta {
			b.WriteString(">" + name + newline)
			w.wrapped(&b, letters, wrap, newline)
			b.WriteString(w.blank(newline))
			continue
		}
		b.WriteString("@" + name + newline)
		if letters == "" {
			b.WriteString(newline)
		}
		w.wrapped(&b, letters, wrap, newline)
		b.WriteString("+" + []string{"", name}[w.rng.IntN(2)] + newline)
		values := make([]byte, len(letters))
		for i := range values {
			values[i] = "@@@>+I<!~"[w.rng.IntN(9)]
		}
		w.wrapped(&b, string(values), wrap, newline)
		b.WriteString(w.blank(newline))
	}
	return w.end(b.String(), newline)
}

func (w randomText) wrapped(b *strings.Builder, text string, wrap int, newline string) {
	for len(text) > 0 {
		n := min(wrap, len(text))
		b.WriteString(text[:n] + newline)
		text = text[n:]
	}
}
