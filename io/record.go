package seqio

import "bytes"

// record is a FASTA or FASTQ record. Its slices point into the text or the storage that it
// is cut from.
type record struct {
	name, letters []byte
	qualities     []byte // nil of FASTA; as long as letters
}

// cutRecord takes a record that has been framed apart. The storage, which it returns, takes
// what is wrapped.
func cutRecord(text, storage []byte) (r record, _ []byte) {
	header, n := cutLine(text)
	r.name = firstWord(header[1:])
	if text[0] == '>' {
		r.letters, storage = joinLines(text[n:], storage[:0])
		return r, storage
	}
	plus := n // of the line that starts with '+', which no letter is
	for text[plus] != '+' {
		plus += bytes.IndexByte(text[plus:], '\n') + 1
	}
	r.letters, storage = joinLines(text[n:plus], storage[:0])
	_, m := cutLine(text[plus:])
	start := len(storage)
	r.qualities, storage = joinLines(text[plus+m:], storage)
	if len(storage) > start && start > 0 { // the letters may have moved
		r.letters = storage[:start:start]
	}
	if r.qualities == nil {
		r.qualities = []byte{}
	}
	return r, storage
}

// joinLines returns a text without the ends of its lines: a slice of it if it is one line,
// and appended to the storage otherwise.
func joinLines(text, storage []byte) (joined, _ []byte) {
	line, n := cutLine(text)
	if n == len(text) {
		return line, storage
	}
	start := len(storage)
	for len(text) > 0 {
		line, n = cutLine(text)
		storage = append(storage, line...)
		text = text[n:]
	}
	return storage[start:], storage
}
