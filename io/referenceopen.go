package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
)

// DefaultReferenceCache is what a reference in BGZF keeps in memory unless Inputs says
// otherwise, in bytes.
const DefaultReferenceCache = 1 << 30

const (
	faiSuffix = ".fai"
	gziSuffix = ".gzi"
)

// openTargets opens the files of targets.
func openTargets(files []*source, cached int64, note func(error)) (references, error) {
	var all references
	for _, src := range files {
		r, err := openReference(src, cached/int64(len(files)), note)
		if err != nil {
			all.release()
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// openReference opens the targets of hits, in memory if they cannot be read through an index.
func openReference(src *source, cached int64, note func(error)) (*reference, error) {
	r, why, err := indexReference(src, cached, note)
	if r != nil || err != nil {
		return r, err
	}
	if why != "" {
		note(fmt.Errorf("%s: %s, it is read into memory whole", src.name, why))
	}
	return loadReference(src)
}

// indexReference opens targets through their index. It is read, or made of them and then
// written beside them, as samtools faidx does. What cannot be read in parts returns nil, and
// why: a pipe, FASTQ, lines of different lengths, and what is compressed other than by
// bgzip.
func indexReference(src *source, cached int64, note func(error)) (r *reference, why string, err error) {
	if err := src.start(); err != nil {
		return nil, "", err
	}
	blocks, err := src.blocks(cached)
	if err != nil {
		return nil, "", err
	}
	switch {
	case src.file == nil || src.disk == nil:
		return nil, "being a pipe or standard input", nil
	case src.packed() && blocks == nil:
		return nil, "being compressed other than by bgzip", nil
	case !bytes.HasPrefix(bytes.TrimLeft(src.head, "\r\n"), []byte{'>'}):
		return nil, "", nil // an empty file, or FASTQ
	}
	if src.noEnd.Load() {
		note(src.missingEnd())
	}
	r, err = openIndexed(src, blocks, note)
	src.noEnd.Store(false) // told
	if errors.Is(err, errIrregular) {
		return nil, "having sequences with lines of different lengths", src.restart()
	}
	return r, "", err
}

// blocks finds the blocks of a file in BGZF; nil for any other file.
func (s *source) blocks(cached int64) (*blockFile, error) {
	if s.gz == nil || s.disk == nil || s.file == nil {
		return nil, nil
	}
	var head [bgzfHeaderSize]byte
	if _, err := s.disk.ReadAt(head[:], 0); err != nil || !isBGZF(head[:]) {
		return nil, nil // an error that reading repeats
	}
	var known []blockPlace
	index, err := os.ReadFile(s.name + gziSuffix)
	if err == nil {
		known, err = readGZI(index, s.size)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s%s: %w", s.name, gziSuffix, err)
	}
	z, err := openBlocks(s.disk, s.name, s.size, known, cached)
	switch {
	case errors.Is(err, errNotBlocks) && known == nil:
		return nil, nil // gzip with a member of another kind
	case errors.Is(err, errNotBlocks):
		return nil, fmt.Errorf("%s%s: the index is of another file than %s", s.name, gziSuffix, s.name)
	case err == nil && !z.hasEnd():
		s.noEnd.Store(true)
	}
	return z, err
}

// openIndexed opens plain or bgzipped FASTA through its index.
func openIndexed(src *source, blocks *blockFile, note func(error)) (*reference, error) {
	r := &reference{file: src.name, text: src.disk, size: src.size}
	if blocks != nil {
		r.text, r.size = blocks, blocks.size()
	} else {
		r.mapped = mapFile(src.disk, src.size)
	}
	data, err := os.ReadFile(src.name + faiSuffix)
	switch {
	case err == nil:
		r.indexFile = src.name + faiSuffix
		r.index, err = parseFAI(data, r.indexFile, r.size)
	case errors.Is(err, fs.ErrNotExist):
		if r.index, err = makeFAI(src); err == nil {
			writeIndexes(src.name, r.index, blocks, note)
		}
	}
	if err != nil {
		r.release()
		return nil, err
	}
	r.checked = make([]placeCheck, len(r.index.all))
	return r, nil
}

// writeIndexes writes what a later run need not make again. That this is not possible is
// no error.
func writeIndexes(name string, index *textIndex, blocks *blockFile, note func(error)) {
	err := writeBeside(name+faiSuffix, index.appendFAI(nil))
	if err == nil && blocks != nil {
		if _, statErr := os.Stat(name + gziSuffix); errors.Is(statErr, fs.ErrNotExist) {
			err = writeBeside(name+gziSuffix, blocks.appendGZI(nil))
		}
	}
	if err != nil {
		note(fmt.Errorf("%s: its index is in memory alone, and the next run makes it again: %w", name, err))
		return
	}
	note(fmt.Errorf("%s: its index is written to %s%s", name, name, faiSuffix))
}

// writeBeside makes a file that is whole when it appears: other runs may look for it.
func writeBeside(path string, data []byte) error {
	beside := fmt.Sprintf("%s.partial-%d", path, rand.Uint64())
	f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(beside, path)
	}
	if err != nil {
		os.Remove(beside)
	}
	return err
}

// loadReference reads all sequences into memory.
func loadReference(src *source) (*reference, error) {
	r := &reference{file: src.name, index: &textIndex{}}
	file, err := openFastx(src)
	if err != nil {
		return nil, err
	}
	defer file.close()
	for {
		next, err := file.next()
		if err == io.EOF {
			return r, nil
		}
		if err != nil {
			return nil, err
		}
		if err := r.index.add(indexed{name: string(next.name), length: int64(len(next.letters)), offset: int64(len(r.letters))}); err != nil {
			return nil, fmt.Errorf("%s: %w", src.name, err)
		}
		r.letters = append(r.letters, bytes.Clone(next.letters))
	}
}

// restart reads a file on disk anew.
func (s *source) restart() error {
	s.closePacked()
	if _, err := s.disk.Seek(s.base, io.SeekStart); err != nil {
		return s.diskError(err)
	}
	s.unpacking, s.skipped = unpacking{}, 0
	s.passed.Store(max(s.passed.Load(), s.raw.n.Load()))
	s.raw.restart(s.disk)
	return s.start()
}
