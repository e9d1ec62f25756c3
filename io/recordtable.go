package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"sort"
)

// recordTable finds the records of files by name. Of each record it has where it starts and
// a hash of its name, about 20 bytes: the name itself is read from the file. Any number of
// goroutines may find and read.
type recordTable struct {
	files  []tableFile
	starts []int64  // of the records, in the text of their file
	prints []uint32 // of their names
	slots  []uint32 // a hash table of the records, counted from 1
	// crowds has the records of a print beyond the first ones, which alone have slots: the way past
	// all of many records of one name would take quadratic time.
	crowds map[uint32][]uint32
	seed   maphash.Seed
}

// A record that finds so many slots taken is one of a crowd if so many of these are of its print.
const (
	longWalk     = 32
	crowdOfPrint = 8 // more than mates and names whose prints are equal by chance
)

// tableFile is the text of a file that can be read at any place.
type tableFile struct {
	src   *source
	text  io.ReaderAt
	size  int64
	fasta bool
	first int64 // of its records in the table
	// temporary, if any, is what the text has been copied to.
	temporary io.Closer
}

func newRecordTable() *recordTable {
	return &recordTable{seed: maphash.MakeSeed(), slots: make([]uint32, 1<<10), crowds: map[uint32][]uint32{}}
}

// addFile adds the records of a file, which has been started.
func (t *recordTable) addFile(file tableFile, f *framer) error {
	file.first = int64(len(t.starts))
	for {
		text, _ := f.peek()
		if len(text) == 0 {
			break
		}
		if len(t.starts) == math.MaxUint32 {
			return fmt.Errorf("%s: there are more than %d records", file.src.name, uint32(math.MaxUint32))
		}
		header, _ := cutLine(text)
		t.add(firstWord(header[1:]), f.at+int64(f.given))
		f.drop()
	}
	if f.err != io.EOF {
		return f.err
	}
	file.size, file.fasta = f.at+int64(f.framed), f.fasta
	t.files = append(t.files, file)
	return nil
}

func (t *recordTable) add(name []byte, start int64) {
	h := maphash.Bytes(t.seed, name)
	t.starts = append(t.starts, start)
	t.prints = append(t.prints, uint32(h>>32))
	if 2*len(t.starts) > len(t.slots) {
		t.grow()
		return
	}
	t.insert(uint32(len(t.starts)), uint32(h>>32))
}

// grow doubles the hash table.
func (t *recordTable) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	clear(t.crowds)
	for i, print := range t.prints {
		t.insert(uint32(i+1), print)
	}
}

// insert takes the first free slot from the print's on. There are fewer prints than records
// of a very large file may need, and linear probing goes on.
func (t *recordTable) insert(record, print uint32) {
	mask := uint64(len(t.slots) - 1)
	i := spread(print) & mask
	for walked := 0; t.slots[i] != 0; i = (i + 1) & mask {
		if walked++; walked == longWalk && t.crowded(print) {
			t.crowds[print] = append(t.crowds[print], record)
			return
		}
	}
	t.slots[i] = record
}

// crowded reports whether a crowd of records of one print have slots.
func (t *recordTable) crowded(print uint32) bool {
	mask, same := uint64(len(t.slots)-1), 0
	for i := spread(print) & mask; t.slots[i] != 0 && same < crowdOfPrint; i = (i + 1) & mask {
		if t.prints[t.slots[i]-1] == print {
			same++
		}
	}
	return same == crowdOfPrint
}

// spread makes a print an index of any table.
func spread(print uint32) uint64 { return uint64(print) * 0x9e3779b97f4a7c15 >> 16 }

// candidates appends the records whose names have the hash of a name, in the order of the
// files.
func (t *recordTable) candidates(dst []int64, name []byte) []int64 {
	print := uint32(maphash.Bytes(t.seed, name) >> 32)
	mask := uint64(len(t.slots) - 1)
	for i := spread(print) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if r := t.slots[i] - 1; t.prints[r] == print {
			dst = append(dst, int64(r))
		}
	}
	for _, r := range t.crowds[print] {
		dst = append(dst, int64(r-1))
	}
	sort.Slice(dst, func(i, j int) bool { return dst[i] < dst[j] })
	return dst
}

// find returns the record of a name: errNoName or errTwoRecords where there is none or more
// than one. It looks into the file only if there are several of the name's hash, or one beside those that the name
// may be a mate of. So the record may have another name.
func (t *recordTable) find(name []byte, scratch *[]int64) (int64, error) {
	found, err := t.named(name, scratch)
	if plain := plainName(name); err == nil && len(found) == 1 && len(plain) < len(name) && len(t.candidates(nil, plain)) > 0 {
		found, err = t.withName(found, name)
	}
	if err == nil && len(found) == 0 {
		if found, err = t.mate(name, scratch); err == nil && len(found) == 0 {
			err = errNoName
		}
	}
	if err != nil {
		return 0, err
	}
	if len(found) > 1 {
		return 0, &twoRecords{t.place(found[0]), t.place(found[1])}
	}
	return found[0], nil
}

// named returns the records of a name, or the only one of its hash.
func (t *recordTable) named(name []byte, scratch *[]int64) ([]int64, error) {
	*scratch = t.candidates((*scratch)[:0], name)
	if found := *scratch; len(found) < 2 {
		return found, nil
	}
	return t.withName(*scratch, name)
}

// withName returns those of some records that have a name, in their place.
func (t *recordTable) withName(found []int64, name []byte) ([]int64, error) {
	var text, storage []byte
	kept := found[:0]
	for _, i := range found {
		r, _, _, err := t.read(i, text, storage)
		if err != nil {
			return nil, err
		}
		if string(r.name) == string(name) {
			kept = append(kept, i)
		}
	}
	return kept, nil
}

// mate returns the record that a mapper of read pairs names with /1 or /2: the first or
// the second one of the name without it.
func (t *recordTable) mate(name []byte, scratch *[]int64) ([]int64, error) {
	plain := plainName(name)
	if len(plain) == len(name) {
		return nil, nil
	}
	found, err := t.named(plain, scratch)
	if err != nil || bytes.HasSuffix(plain, name[len(plain):]) {
		return found, err // the name ends in /1/1 or /2/2
	}
	k := int(name[len(name)-1] - '0')
	if len(found) < k {
		return nil, nil
	}
	if len(found) > 2 {
		return found, nil
	}
	return found[k-1 : k], nil
}

// twoRecords are two records of one name.
type twoRecords struct{ first, second string }

func (e *twoRecords) Error() string {
	return fmt.Sprintf("two records have that name: %s, and %s", e.first, e.second)
}

// file returns the file that has a record.
func (t *recordTable) file(i int64) *tableFile { return &t.files[t.fileNumber(i)] }

func (t *recordTable) fileNumber(i int64) int {
	return sort.Search(len(t.files), func(k int) bool { return t.files[k].first > i }) - 1
}

// place is where a record is, for messages.
func (t *recordTable) place(i int64) string {
	f := t.file(i)
	return showRecord(i-f.first, f.src)
}

// showRecord names a record by its number from 0.
func showRecord(number int64, src *source) string {
	return fmt.Sprintf("record %d of %s", number+1, src.name)
}

// read reads a record. Its slices point into the two pieces of storage, which are returned.
func (t *recordTable) read(i int64, text, storage []byte) (r record, _, _ []byte, err error) {
	f := t.file(i)
	end := f.size
	if next := i + 1; next < int64(len(t.starts)) && t.file(next) == f {
		end = t.starts[next]
	}
	n := int(end - t.starts[i])
	if cap(text) < n+1 {
		text = make([]byte, 0, n+n/4+1)
	}
	got, err := f.text.ReadAt(text[:n], t.starts[i])
	if err != nil && err != io.EOF {
		return r, text, storage, err
	}
	text = text[:got]
	if got < n-1 || got < n && end < f.size {
		return r, text, storage, t.changed(i)
	}
	if got < n { // the last line of the file has no end
		text = append(text, '\n')
	}
	frame, mark := frameFastq, byte('@')
	if f.fasta {
		frame, mark = frameFasta, '>'
	}
	if text[0] != mark {
		return r, text, storage, t.changed(i)
	}
	framed, _, fault := frame(text, true)
	if fault != nil || framed == 0 {
		return r, text, storage, t.changed(i)
	}
	r, storage = cutRecord(text[:framed], storage)
	return r, text, storage, nil
}

func (t *recordTable) changed(i int64) error {
	return fmt.Errorf("%s: the file has changed while it was read", t.place(i))
}

// bytes is the memory of the table.
func (t *recordTable) bytes() int64 {
	return 8*int64(cap(t.starts)) + 4*int64(cap(t.prints)+cap(t.slots))
}

// close releases what the texts have been copied to.
func (t *recordTable) close() error {
	var errs []error
	for _, f := range t.files {
		if f.temporary != nil {
			errs = append(errs, f.temporary.Close())
		}
	}
	return errors.Join(errs...)
}
