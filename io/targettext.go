package seqio

import (
	"math"
	"runtime/debug"

	"wfagpu/io/internal/cache"
)

// targetText is the text of a plain file on disk, mapped: its usual records need no copy.
type targetText struct {
	data    []byte
	at      int64 // all before has been taken
	lines   int64 // before at
	records int64
	fasta   bool
	kept    int64 // pages before it have been given back
	ready   int64 // pages up to it are there
	gone    bool  // the file has become shorter
}

// mapTargets maps the text of a source that has been started, nil if that is not possible.
func mapTargets(src *source) *targetText {
	if src.disk == nil || src.file == nil || src.packed() || src.base != 0 || src.part != nil {
		return nil
	}
	data := mapFile(src.disk, src.size)
	if data == nil {
		return nil
	}
	return &targetText{data: data, at: src.skipped}
}

// ended reports whether there is no more to take.
func (t *targetText) ended() bool { return t.gone || t.at == int64(len(t.data)) }

func (t *targetText) close() { unmapFile(t.data) }

// take adds the targets that next finds, up to the first that is not usual, and has all of them
// visited. A file that becomes shorter meanwhile ends them.
func (t *targetText) take(g *targetGroup, next func(g *targetGroup) (bool, error)) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer recoverFault(func() { // who reads the pairs hears of it
		t.gone, err = true, nil
		g.drop()
	})
	for more := true; more; {
		if t.at >= t.ready {
			t.turnPages()
		}
		if more, err = next(g); err != nil {
			return err
		}
	}
	return g.flush()
}

// turnPages makes the next pages ready, and gives those back that have been read: they count as
// memory of the process.
func (t *targetText) turnPages() {
	const window = 8 << 20
	from := t.at &^ (window - 1)
	if from > t.kept {
		forgetMapped(t.data[t.kept:from])
		t.kept = from
	}
	t.ready = min(from+window, int64(len(t.data)))
	populate(t.data[from:t.ready])
	if t.ready == int64(len(t.data)) {
		t.ready = math.MaxInt64
	}
}

// prefetchText prefetches mapped text that follows data, a part at each short record. The processor
// itself prefetches no further than a page, and stops where qualities are passed over.
func prefetchText(data []byte) {
	const distance, part = 4 << 10, 5 * cache.Line
	if len(data) > distance+part {
		cache.Prefetch(data[distance:][:part])
	}
}

// nextRecords adds the targets of usual records of FASTA or FASTQ, as far as pages are ready: see
// usualFastq and usualFasta. It looks at no quality value: who reads the pairs does.
func (t *targetText) nextRecords(g *targetGroup) (more bool, err error) {
	if t.records == 0 && !t.ended() {
		t.fasta = t.data[t.at] == '>'
	}
	if !t.fasta {
		return t.nextFastq(g)
	}
	target, n, lines := usualFasta(t.data[t.at:], g)
	if n == 0 {
		return false, nil
	}
	place := recordLine{t.records + 1, t.lines + 1}
	t.at, t.lines, t.records = t.at+int64(n), t.lines+int64(lines), t.records+1
	return true, g.add(target, place)
}

// nextFastq is nextRecords of FASTQ.
func (t *targetText) nextFastq(g *targetGroup) (more bool, err error) {
	from, n := t.data[t.at:], 0
	for ready := t.ready - t.at; int64(n) < ready; {
		data := from[n:]
		prefetchText(data)
		u := usualFastq(data)
		if u.size == 0 {
			return false, nil
		}
		place := recordLine{t.records + 1, t.lines + 1}
		n += u.size
		t.at, t.lines, t.records = t.at+int64(u.size), t.lines+4, t.records+1
		if g.skips() {
			continue
		}
		end := u.letters + u.length
		if err := g.append(Target{Name: data[1 : 1+u.name : 1+u.name], Letters: data[u.letters:end:end], Length: u.length}, place); err != nil {
			return false, err
		}
	}
	return true, nil
}

// rest returns the records that have not been taken.
func (t *targetText) rest(src *source) (*fastxFile, error) {
	if err := src.seek(t.at); err != nil {
		return nil, err
	}
	f := emptyFramer(src)
	f.at, f.line, f.record = t.at, t.lines, t.records
	if t.records > 0 {
		if f.frame = frameFastq; t.fasta {
			f.frame, f.fasta = frameFasta, true
		}
	}
	return &fastxFile{framer: f, records: t.records}, nil
}

// usualFasta takes a record of FASTA as usualFastq does. Letters of several lines are joined in the
// group's storage.
// The last record of a file is not usual: the file may be cut short.
func usualFasta(data []byte, g *targetGroup) (t Target, n, lines int) {
	name, n := usualHeader(data, '>')
	if n == 0 {
		return t, 0, 0
	}
	var letters []byte
	start := len(g.joined)
	for lines = 1; n < len(data) && data[n] != '>'; lines++ {
		line := data[n:]
		length := letterRun(line)
		if length == 0 || length == len(line) || line[length] != '\n' {
			return t, 0, 0
		}
		line = line[:length:length]
		switch lines {
		case 1:
			letters = line
		case 2:
			g.joined = append(g.joined, letters...)
			fallthrough
		default:
			g.joined = append(g.joined, line...)
		}
		n += length + 1
	}
	if n == len(data) {
		return t, 0, 0
	}
	if lines > 2 {
		letters = g.joined[start:len(g.joined):len(g.joined)]
	}
	if letters == nil {
		letters = []byte{}
	}
	return Target{Name: data[1 : 1+name : 1+name], Letters: letters, Length: len(letters)}, n, lines
}

// nextPair adds the target of a pair of a pairs file: see wholePair.
func (t *targetText) nextPair(ordinal *int64) func(g *targetGroup) (bool, error) {
	return func(g *targetGroup) (bool, error) {
		prefetchText(t.data[t.at:])
		_, target, n := wholePair(t.data[t.at:])
		if n == 0 || *ordinal == math.MaxInt64 {
			return false, nil
		}
		t.at += int64(n)
		line := t.lines + 1
		t.lines, t.records = t.lines+2, t.records+1
		*ordinal++
		return true, g.add(Target{Ordinal: *ordinal, Letters: target, Length: len(target)}, recordLine{t.records, line})
	}
}
