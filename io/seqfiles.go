package seqio

import (
	"io"

	"wfagpu/align"
)

// startPairs opens pairs files.
func (r *Reader) startPairs() error {
	var err error
	if len(r.sources) == 1 {
		r.pairs, err = r.openSeq(r.sources[0])
		return err
	}
	files := &seqFiles{reader: r, files: r.sources}
	r.pairs = files
	return files.open()
}

// openSeq opens a pairs file up to its first pair.
func (r *Reader) openSeq(src *source) (pairSource, error) {
	p, err := r.startSeq(src)
	if err != nil {
		return nil, err
	}
	if cut := cutIntoBlocks(p.src, r.limits); cut.count > 1 {
		return newSeqBlocks(p, cut), nil
	}
	return p, nil
}

// seqFiles reads pairs files, one behind the other.
type seqFiles struct {
	reader *Reader
	files  []*source    // from the one that is read on
	opened []pairSource // the last one is read
}

func (f *seqFiles) open() error {
	p, err := f.reader.openSeq(f.files[0])
	if err == nil {
		f.opened = append(f.opened, p)
	}
	return err
}

func (f *seqFiles) fill(b *align.Batch) error {
	for {
		err := f.opened[len(f.opened)-1].fill(b)
		if err != io.EOF || len(f.files) == 1 {
			return err
		}
		f.halt()
		f.files = f.files[1:]
		if err := f.open(); err != nil || len(b.Pairs) > 0 {
			return err
		}
	}
}

func (f *seqFiles) halt() {
	if n := len(f.opened); n > 0 {
		f.opened[n-1].halt()
	}
}

func (f *seqFiles) wait() {
	for _, p := range f.opened {
		p.wait()
	}
}

// startSeq opens a pairs file up to its first pair.
func (r *Reader) startSeq(src *source) (*seqPairs, error) {
	if r.in.Shard.whole() {
		if err := src.start(); err != nil {
			return nil, err
		}
		return newSeqPairs(src, r.limits)
	}
	if err := src.startShard(); err != nil {
		return nil, err
	}
	p, err := newSeqPairs(src, r.limits)
	if err != nil {
		return nil, err
	}
	err = p.cutSeq(r.in.Shard)
	r.done = p.record
	return p, err
}
