package seqio

import (
	"bufio"
	"bytes"
	"hash/maphash"
	"io"
	"maps"
)

// cutHits narrows the hits to a shard: the lines that start in its bytes. The lines before
// them are counted. It returns how many pairs stand before. If primaries is set, it finds the shard's
// queries that have a primary hit before it.
func (p *pafReader) cutHits(shard Shard, primaries bool) (before int64, err error) {
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
	if primaries && 0 < from && from < to {
		p.seed, p.primaries = maphash.MakeSeed(), map[uint64]bool{}
		if err := eachLine(io.NewSectionReader(file, from, to-from), func(line []byte) {
			p.primaries[p.hashOfQuery(line)] = false
		}); err != nil {
			return 0, src.diskError(err)
		}
	}
	if from < to {
		if before, err = p.count(io.NewSectionReader(file, 0, from)); err != nil {
			return 0, src.diskError(err)
		}
	}
	maps.DeleteFunc(p.primaries, func(_ uint64, before bool) bool { return !before })
	src.narrow(from, to)
	return before, nil
}

// hashOfQuery is that of the name of a line's query.
func (p *pafReader) hashOfQuery(line []byte) uint64 {
	name, _, _ := bytes.Cut(line, []byte{'\t'})
	return maphash.Bytes(p.seed, name)
}

// primaryBefore reports whether a query has a primary hit before the shard.
func (p *pafReader) primaryBefore(name []byte) bool {
	return len(p.primaries) > 0 && p.primaries[maphash.Bytes(p.seed, name)]
}

// count counts the lines and records of a text that ends with a line, and returns how many
// pairs they are. What is wrong with them is another part's error.
func (p *pafReader) count(text io.Reader) (pairs int64, err error) {
	err = eachLine(text, func(line []byte) {
		p.line++
		if len(line) == 0 {
			return
		}
		p.record++
		if fields := bytes.SplitN(line, []byte{'\t'}, 6); len(fields) == 6 && string(fields[4]) == "*" {
			return
		}
		pairs++
		if p.primaries == nil {
			return
		}
		query := p.hashOfQuery(line)
		if before, here := p.primaries[query]; here && !before {
			h, err := parsePAF(line)
			p.primaries[query] = err == nil && !h.secondary()
		}
	})
	return pairs, err
}

// eachLine calls visit with the lines of a text, without their ends. Of a line with long tags it sees
// the begin.
func eachLine(text io.Reader, visit func(line []byte)) error {
	lines := bufio.NewReaderSize(text, seqStep)
	for {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil && err != bufio.ErrBufferFull && err != io.EOF {
			return err
		}
		visit(trimCR(bytes.TrimSuffix(line, []byte{'\n'})))
		for err == bufio.ErrBufferFull {
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
