package sam

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	seqio "wfagpu/io"
	"wfagpu/io/internal/line"
)

// Targets are the target sequences of a header: each name once, in the order of Add, with its
// length. Each takes about 35 bytes and its name, and one without a name four bytes.
type Targets struct {
	// list has for every target the length of its name, the name, and its own length;
	// for one without a name 0, its ordinal less that of the one before, and its length.
	list    []byte
	names   nameTable
	ordinal int64 // of the last target without a name
	file    string
	hashes  [lookAhead]uint64
	looked  uint64 // keeps what lookFor has read from being left out
}

// maxLength is the longest target that a header may have.
const maxLength = math.MaxInt32

// NewTargets returns no targets. file is where they come from, for messages.
func NewTargets(file string) *Targets {
	return &Targets{names: newNameTable(), file: file}
}

// ErrTarget is wrapped by the errors of Add.
var ErrTarget = errors.New("SAM has one sequence of each name")

// AddAll adds targets, each if its name is new: see Add. Of an error it returns, too, how many of
// them are fine. Many at once take less time.
func (t *Targets) AddAll(group []seqio.Target) (int, error) {
	for i := range group {
		if i%lookAhead == 0 {
			t.lookFor(group[i:min(i+lookAhead, len(group))])
		}
		g := &group[i]
		if g.Name == nil {
			t.addNumbered(g.Ordinal, g.Length)
		} else if err := t.add(t.hashes[i%lookAhead], g.Name, g.Letters, g.Length); err != nil {
			return i, err
		}
	}
	return len(group), nil
}

// lookAhead is how many names AddAll looks for at the same time.
const lookAhead = 64

// lookFor hashes names, and has the places of the hashes read.
func (t *Targets) lookFor(group []seqio.Target) {
	for i := range group {
		if name := group[i].Name; name != nil {
			t.hashes[i] = t.names.hash(name)
			t.looked ^= t.names.look(t.hashes[i])
		}
	}
}

// Add adds a target if its name is new. A name may come again with the same length and, where
// both are known, the same letters.
func (t *Targets) Add(name, letters []byte, length int) error {
	return t.add(t.names.hash(name), name, letters, length)
}

func (t *Targets) add(hash uint64, name, letters []byte, length int) error {
	if length > maxLength {
		return fmt.Errorf("target %.80q has %d letters, and SAM takes %d", name, length, maxLength)
	}
	if len(name) == 0 {
		return errors.New("a target has no name")
	}
	if name[0] == '*' || name[0] == '=' {
		return fmt.Errorf("the target name %.80q starts with %q, which SAM does not take", name, name[0])
	}
	var sum uint64
	if letters != nil {
		sum = t.names.hash(letters)
	}
	if i := t.find(hash, name); i >= 0 {
		before := t.names.entries[i]
		old := t.length(i)
		switch {
		case old != length:
			return fmt.Errorf("target %.80q has %d letters here and %d before: %w", name, length, old, ErrTarget)
		case sum != 0 && before.letters != 0 && before.letters != sum:
			return fmt.Errorf("target %.80q has other letters than before: %w", name, ErrTarget)
		}
		return nil
	}
	if len(t.names.entries) == math.MaxUint32 {
		return fmt.Errorf("there are more than %d targets", uint32(math.MaxUint32))
	}
	t.names.add(hash, nameEntry{int64(len(t.list)), sum})
	t.list = binary.AppendUvarint(t.list, uint64(len(name)))
	t.list = append(t.list, name...)
	t.list = binary.AppendUvarint(t.list, uint64(length))
	return nil
}

// addNumbered adds the target of a pair without names. Ordinals grow.
func (t *Targets) addNumbered(ordinal int64, length int) {
	if step := ordinal - t.ordinal; step < 0x80 && length < 1<<14 && length >= 0x80 { // as below
		t.list = append(t.list, 0, byte(step), byte(length)|0x80, byte(length>>7))
	} else {
		t.list = binary.AppendUvarint(append(t.list, 0), uint64(step))
		t.list = binary.AppendUvarint(t.list, uint64(length))
	}
	t.ordinal = ordinal
}

// numbered reports whether there are targets without names.
func (t *Targets) numbered() bool { return t.ordinal > 0 }

// find returns the number among the names of a target, or -1.
func (t *Targets) find(hash uint64, name []byte) int {
	for i, after := t.names.next(hash, t.names.home(hash)); i >= 0; i, after = t.names.next(hash, after) {
		at := t.names.entries[i].at
		if n, k := binary.Uvarint(t.list[at:]); string(t.list[at+int64(k):][:n]) == string(name) {
			return i
		}
	}
	return -1
}

// length is that of the target with a number among the names.
func (t *Targets) length(i int) int {
	rest := t.list[t.names.entries[i].at:]
	n, k := binary.Uvarint(rest)
	l, _ := binary.Uvarint(rest[k+int(n):])
	return int(l)
}

// fault says why a record must not name a target, "" where it may. It may be called
// concurrently.
func (t *Targets) fault(name []byte, length int) string {
	i := t.find(t.names.hash(name), name)
	if i < 0 {
		return fmt.Sprintf("target %.80q is not in %s, from which the @SQ lines are", string(name), t.file)
	}
	if there := t.length(i); there != length {
		return fmt.Sprintf("target %.80q has %d letters, and %d in %s, from which the @SQ lines are", string(name), length, there, t.file)
	}
	return ""
}

// WriteHeader writes the header: @HD, @SQ of each target that has letters, and @PG, in pieces
// of whole lines.
func (t *Targets) WriteHeader(w io.Writer, p Program) error {
	const piece = 1 << 20
	text := make([]byte, 0, piece+piece/16)
	text = append(text, "@HD\tVN:1.6\tSO:unknown\n"...)
	ordinal := line.NewOrdinal(0)
	for rest := t.list; len(rest) > 0; {
		n, k := binary.Uvarint(rest)
		rest = rest[k:]
		name := rest[:n]
		rest = rest[n:]
		start := len(text)
		text = append(text, "@SQ\tSN:"...)
		if n == 0 {
			step, k := binary.Uvarint(rest)
			rest = rest[k:]
			ordinal.Add(int64(step))
			text = append(text, ordinal.Name(nil)...)
		} else {
			text = append(text, name...)
		}
		length, k := binary.Uvarint(rest)
		rest = rest[k:]
		if length == 0 {
			text = text[:start] // SAM has none; its records are unmapped
			continue
		}
		text = append(line.AppendInt(append(text, "\tLN:"...), int(length)), '\n')
		if len(text) >= piece {
			if _, err := w.Write(text); err != nil {
				return err
			}
			text = text[:0]
		}
	}
	_, err := w.Write(p.append(text))
	return err
}

// Program is what made the file.
type Program struct {
	Name, Version string
	Command       string // its command line
}

// append appends the @PG line.
func (p Program) append(dst []byte) []byte {
	dst = append(dst, "@PG\tID:"+p.Name+"\tPN:"+p.Name+"\tVN:"+p.Version+"\tCL:"...)
	for _, b := range []byte(p.Command) {
		if b < ' ' {
			b = ' ' // a field has no tab and no line end
		}
		dst = append(dst, b)
	}
	return append(dst, '\n')
}
