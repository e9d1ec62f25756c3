package whole

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/sets"
)

// block is some pairs with the lines that the CPU engine gives for them.
type block struct {
	name    string
	records [][]byte // of a .seq file, two lines each
	want    [][]byte // score, tab, CIGAR
	bytes   int64
	squares float64 // the sum of the squares of the scores
	cpu     float64 // CPU time of the CPU engine, in seconds
	seconds float64 // of the CPU engine's process
}

func newBlock(name string, pairs []align.Pair) *block {
	b := &block{name: name}
	for _, p := range pairs {
		r := make([]byte, 0, len(p.Pattern)+len(p.Text)+4)
		r = append(append(append(r, '>'), p.Pattern...), '\n', '<')
		r = append(append(r, p.Text...), '\n')
		b.records = append(b.records, r)
		b.bytes += int64(len(r))
	}
	return b
}

// maker makes blocks and inputs.
type maker struct{ *bench }

// readBlock reads a real set.
func (m *maker) readBlock(ctx context.Context, name string) (*block, error) {
	for _, suffix := range []string{".seq.gz", ".seq"} {
		file := filepath.Join(m.Data, name+suffix)
		if _, err := os.Stat(file); err != nil {
			continue
		}
		batch, err := sets.Read(file, 0)
		if err != nil {
			return nil, err
		}
		if len(batch.Pairs) == 0 {
			return nil, fmt.Errorf("%s has no pairs", file)
		}
		b := newBlock(name, batch.Pairs)
		return b, m.expect(ctx, b)
	}
	return nil, fmt.Errorf("no %s.seq.gz in %q", name, m.Data)
}

// simulated makes pairs, at most 32 million letters of them: larger inputs repeat
// them.
func (m *maker) simulated(ctx context.Context, n, length int, rate float64, seed uint64) (*block, error) {
	set := sets.Set{Options: simulate.Options{Length: length, ErrorRate: rate, Seed: seed}, Count: max(1, min(n, 32_000_000/(2*length)))}
	batch, err := set.Batch()
	if err != nil {
		return nil, err
	}
	b := newBlock(set.String(), batch.Pairs)
	return b, m.expect(ctx, b)
}

// unaligned makes one simulated pair without a result of the CPU engine.
func unaligned(length int, rate float64, seed uint64) (*block, error) {
	set := sets.Set{Options: simulate.Options{Length: length, ErrorRate: rate, Seed: seed}, Count: 1}
	batch, err := set.Batch()
	if err != nil {
		return nil, err
	}
	return newBlock(set.String(), batch.Pairs), nil
}

// expect has the CPU engine align a block.
func (m *maker) expect(ctx context.Context, b *block) error {
	in, out := m.path("block.seq"), m.path("block.tsv")
	defer os.Remove(in)
	defer os.Remove(out)
	if err := repeat(b, len(b.records)).write(in); err != nil {
		return err
	}
	r, err := m.align(ctx, in, out, append([]string{"--device", "cpu"}, m.CPUFlags...)...)
	if err != nil {
		return err
	}
	b.cpu, b.seconds = r.cpu, r.seconds
	text, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		rest, ok := cutName(line, len(b.want)+1)
		if !ok {
			return fmt.Errorf("%s: line %d of the CPU engine does not begin with its number: %.60q", b.name, len(b.want)+1, line)
		}
		b.want = append(b.want, bytes.TrimSuffix(rest, []byte("\n")))
		score, _, _ := bytes.Cut(rest, []byte("\t"))
		v, err := strconv.ParseFloat(string(score), 64)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		b.squares += v * v
	}
	if len(b.want) != len(b.records) {
		return fmt.Errorf("%s: %d lines of the CPU engine for %d pairs", b.name, len(b.want), len(b.records))
	}
	return nil
}

// cutName removes the two names of a pair, which are its number in the file.
func cutName(line []byte, number int) (rest []byte, ok bool) {
	var name [48]byte
	prefix := append(strconv.AppendInt(name[:0], int64(number), 10), '\t')
	for range 2 {
		if line, ok = bytes.CutPrefix(line, prefix); !ok {
			return nil, false
		}
	}
	return line, true
}

// readLine reads a line of any length; the slice is valid until the next call.
func readLine(r *bufio.Reader, buf *[]byte) ([]byte, error) {
	*buf = (*buf)[:0]
	for {
		part, err := r.ReadSlice('\n')
		if err == nil && len(*buf) == 0 {
			return part, nil
		}
		*buf = append(*buf, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return *buf, err
		}
	}
}
