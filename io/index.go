package seqio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"sort"
	"strconv"
	"strings"

	"wfagpu/align"
)

// An index has marks of one input file, about one every indexStep bytes, so that a shard
// need not count the records before it. It is text:
//
//	#wfagpu-index	1	SIZE
//	OFFSET	RECORDS	LINES	CHECK
//
// SIZE is that of the file. Records and lines are those before the offset, and the
// check is the CRC-32 of the markBytes bytes there, or of fewer at the file's end. The
// file's first record has no mark.

// IndexSuffix is what the name of an index has behind that of its file.
const IndexSuffix = ".wfi"

const (
	indexMagic = "#wfagpu-index\t1\t"
	indexStep  = 4 << 20
	markBytes  = 64
)

// index is that of a source; nil has no marks.
type index struct {
	src    *source
	name   string
	marks  []mark
	checks []uint32
}

// openIndex reads the index of a source, nil if there is none, as for standard input.
func openIndex(src *source) (*index, error) {
	if src.file == nil {
		return nil, nil
	}
	x := &index{src: src, name: src.name + IndexSuffix}
	f, err := os.Open(x.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			err = x.header(lines.Text())
		} else {
			err = x.row(lines.Text())
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", x.name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", x.name, err)
	}
	if x.checks == nil {
		return nil, fmt.Errorf("%s: the index is empty", x.name)
	}
	return x, nil
}

func (x *index) header(line string) error {
	text, ok := strings.CutPrefix(line, indexMagic)
	size, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil {
		return errors.New("this is no index of wfagpu, or one of another version")
	}
	if size != x.src.size {
		return fmt.Errorf("the index is of a file of %d B, and %s has %d B; 'wfagpu index' makes it anew", size, x.src.name, x.src.size)
	}
	x.marks, x.checks = []mark{{}}, []uint32{0}
	return nil
}

func (x *index) row(line string) error {
	var m mark
	var check uint32
	n, err := fmt.Sscanf(line, "%d\t%d\t%d\t%x", &m.offset, &m.records, &m.lines, &check)
	last := x.marks[len(x.marks)-1]
	if err != nil || n != 4 || m.offset <= last.offset || m.offset >= x.src.size || m.records < last.records || m.lines < last.lines {
		return errors.New("the index is damaged")
	}
	x.marks, x.checks = append(x.marks, m), append(x.checks, check)
	return nil
}

// before returns the last mark up to an offset.
func (x *index) before(offset int64) mark {
	return x.last(func(m mark) bool { return m.offset <= offset })
}

// ofRecord returns the last mark with up to so many records before it.
func (x *index) ofRecord(records int64) mark {
	return x.last(func(m mark) bool { return m.records <= records })
}

// last returns the last of the first marks that fit.
func (x *index) last(fits func(mark) bool) mark {
	if x == nil {
		return mark{}
	}
	n := sort.Search(len(x.marks), func(i int) bool { return !fits(x.marks[i]) })
	return x.marks[max(n-1, 0)]
}

// verify compares the file with what the index says of it at one of its marks.
func (x *index) verify(m mark) error {
	if m.offset == 0 {
		return nil
	}
	i := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].offset >= m.offset })
	check, err := checkAt(x.src.disk, m.offset)
	if err != nil {
		return x.src.diskError(err)
	}
	if check != x.checks[i] {
		return fmt.Errorf("%s: the index differs from %s at byte %d; 'wfagpu index' makes it anew", x.name, x.src.name, m.offset)
	}
	return nil
}

func checkAt(file io.ReaderAt, offset int64) (uint32, error) {
	var buf [markBytes]byte
	n, err := file.ReadAt(buf[:], offset)
	if err != nil && err != io.EOF {
		return 0, err
	}
	return crc32.ChecksumIEEE(buf[:n]), nil
}

// IndexError is an index that could not be written.
type IndexError struct{ Err error }

func (e *IndexError) Error() string { return fmt.Sprintf("writing the index: %v", e.Err) }
func (e *IndexError) Unwrap() error { return e.Err }

// WriteIndex reads the files of in and writes the index of each, FILE.wfi, which
// the shards of the files then use. A malformed FASTA or FASTQ file is a
// *ParseError, and a file that is compressed, or is no file on disk, a *ShardError.
// Pairs files are counted, and not checked.
func WriteIndex(in Inputs) error {
	if err := in.validate(); err != nil {
		return err
	}
	for _, path := range in.Files() {
		if path == "-" {
			return &ShardError{File: FileName(path), Why: "has no name for an index"}
		}
		if err := writeIndex(path, len(in.Pairs) > 0, indexStep); err != nil {
			return err
		}
	}
	return nil
}

// writeIndex indexes a pairs file or one of records, with a mark about every step bytes.
func writeIndex(path string, pairs bool, step int64) error {
	if err := regular(path, nil); err != nil {
		return err
	}
	src, err := openSource(path, nil)
	if err != nil {
		return err
	}
	defer src.closeFile()
	if err := src.startShard(); err != nil {
		return err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s%d\n", indexMagic, src.size)
	makeIndex := indexFastx
	if pairs {
		makeIndex = indexSeq
	}
	err = makeIndex(src, step, func(m mark) error {
		check, err := checkAt(src.disk, m.offset)
		fmt.Fprintf(&text, "%d\t%d\t%d\t%08x\n", m.offset, m.records, m.lines, check)
		return err
	})
	if err != nil {
		return err
	}
	if err := WriteFile(path+IndexSuffix, text.Bytes()); err != nil {
		return &IndexError{err}
	}
	return nil
}

// indexSeq finds marks in a pairs file.
func indexSeq(src *source, step int64, add func(mark) error) error {
	pairs, err := newSeqPairs(src, Limits{Pairs: 1}.withDefaults())
	if err != nil {
		return err
	}
	if err := pairs.fill(&align.Batch{}); err != nil && err != io.EOF {
		return err
	}
	file := io.NewSectionReader(src.disk, 0, src.size)
	var m mark
	for at := step; at < src.size; at += step {
		if at <= m.offset {
			continue
		}
		next, err := border(file, at)
		if err != nil {
			return src.diskError(err)
		}
		if next == src.size {
			return nil
		}
		pairs, lines, err := countMarks(file, m.offset, next)
		if err != nil {
			return src.diskError(err)
		}
		m = mark{next, m.records + pairs, m.lines + lines}
		if err := add(m); err != nil {
			return src.diskError(err)
		}
	}
	return nil
}

// indexFastx finds marks in a FASTA or FASTQ file.
func indexFastx(src *source, step int64, add func(mark) error) error {
	f := emptyFramer(src)
	next := step
	for {
		record, lines := f.peek()
		if len(record) == 0 {
			break
		}
		if at := f.at + int64(f.given); at >= next {
			next = (at/step + 1) * step
			if err := add(mark{at, f.record - 1, f.line - int64(lines)}); err != nil {
				return src.diskError(err)
			}
		}
		f.drop()
	}
	if f.err == io.EOF {
		return nil
	}
	return f.err
}
