package seqio

import (
	"bufio"
	"bytes"
	"io"
)

// cutHits narrows the hits to a shard: the lines that start in its bytes. The lines before
// them are counted. It returns how many pairs stand before.
func (p *pafReader) cutHits(shard Shard) (before int64, err error) {
	if shard.whole() {
		return 0, nil
	}
	src := p.src
	if src.packed() {
		return 0, &ShardError{File: src.name, Why: "is compressed", Compressed: true}
	}
	file := io.NewSectionReader(src.disk, src.base, src.size)
	from, to := shard.cuts(src.size)
	if from, err = lineStart(file, from); err != nil {
		return 0, src.diskError(err)
	}
	if to, err = lineStart(file, to); err != nil {
		return 0, src.diskError(err)
	}
	if from < to {
		if before, err = p.count(io.NewSectionReader(file, 0, from)); err != nil {
			return 0, src.diskError(err)
		}
	}
	src.narrow(from, to)
	return before, nil
}

// count counts the lines and records of a text that ends with a line, and returns how many
// pairs they are. What is wrong with them is another part's error.
func (p *pafReader) count(text io.Reader) (pairs int64, err error) {
	lines := bufio.NewReaderSize(text, seqStep)
	for {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			return pairs, nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return 0, err
		}
		p.line++
		if blank := len(trimCR(bytes.TrimSuffix(line, []byte{'\n'}))) == 0; !blank {
			p.record++
			if fields := bytes.SplitN(line, []byte{'\t'}, 6); len(fields) < 5 || string(fields[4]) != "*" {
				pairs++
			}
		}
		for err == bufio.ErrBufferFull { // long tags
			_, err = lines.ReadSlice('\n')
		}
	}
}

// lineStart returns the offset of the first line that starts at cut or behind it.
func lineStart(file *io.SectionReader, cut int64) (int64, error) {
	if cut == 0 {
		return 0, nil
	}
	buf := make([]byte, seqStep)
	for at := cut - 1; at < file.Size(); {
		n, err := file.ReadAt(buf, at)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
		if err != nil && err != io.EOF {
			return 0, err
		}
		if n == 0 {
			break
		}
		at += int64(n)
	}
	return file.Size(), nil
}
