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
// length. Each takes about 10 bytes and its name, 30 more if names can be looked up, and one
// without a name four bytes.
type Targets struct {
	list    targetList
	names   nameTable
	ordinal int64 // of the last target without a name
	file    string
	// Where names need not be looked up, many are taken for different until Settle. Those of names
	// come first.
	lookup, twice bool // twice: a name came twice
	later         nameCheck
	// number is the first name that is a number: it could be that of a pair without names.
	number string
}

// tableNames is the number of names from which on they are taken for different.
const tableNames = 1 << 15

// maxLength is the longest target that a header may have.
const maxLength = math.MaxInt32

// NewTargets returns no targets. file is where they come from, for messages. With lookup, Append
// can look for the targets of records: see Options.
func NewTargets(file string, lookup bool) *Targets {
	return &Targets{names: newNameTable(), file: file, lookup: lookup}
}

// ErrTarget is wrapped by the errors of Add.
var ErrTarget = errors.New("SAM has one sequence of each name")

// AddAll adds targets as Add does. Of an error it returns, too, how many of them are fine.
func (t *Targets) AddAll(group []seqio.Target) (int, error) {
	for i := range group {
		g := &group[i]
		if t.deferred() && t.number == "" && len(g.Name) > 0 && g.Name[0] > '=' && g.Length <= maxLength {
			// Add has nothing against a target like this one.
			t.addLater(t.names.hash(g.Name), g.Name, g.Length)
			continue
		}
		if g.Name == nil {
			if t.number != "" {
				return i, t.numberTaken()
			}
			t.addNumbered(g.Ordinal, g.Length)
		} else if err := t.Add(g.Name, g.Letters, g.Length); err != nil {
			return i, err
		}
	}
	return len(group), nil
}

// Add adds a target if its name is new. A name may come again with the same length and, where
// both are known, the same letters. Of many names, see Settle.
func (t *Targets) Add(name, letters []byte, length int) error {
	switch {
	case length > maxLength:
		return fmt.Errorf("target %.80q has %d letters, and SAM takes %d", name, length, maxLength)
	case len(name) == 0:
		return errors.New("a target has no name")
	case name[0] == '*' || name[0] == '=':
		return fmt.Errorf("the target name %.80q starts with %q, which SAM does not take", name, name[0])
	case hasControl(name):
		return fmt.Errorf("the target name %.80q has a control character, which SAM does not take", name)
	}
	if t.number == "" && isNumber(name) {
		t.number = string(name)
	}
	if t.number != "" && t.numbered() {
		return t.numberTaken()
	}
	hash := t.names.hash(name)
	if t.deferred() {
		t.addLater(hash, name, length)
		return nil
	}
	var sum uint64
	if letters != nil {
		sum = t.names.hashLetters(letters)
	}
	if i := t.find(hash, name); i >= 0 {
		before := t.names.entries[i]
		switch _, old := t.list.target(before.at); {
		case old != length:
			return fmt.Errorf("target %.80q has %d letters here and %d before: %w", name, length, old, ErrTarget)
		case sum != 0 && before.letters != 0 && before.letters != sum:
			return fmt.Errorf("target %.80q has other letters than before: %w", name, ErrTarget)
		}
		t.twice = true
		return nil
	}
	if len(t.names.entries) == math.MaxUint32 {
		return fmt.Errorf("there are more than %d targets", uint32(math.MaxUint32))
	}
	t.names.add(hash, nameEntry{t.list.add(name, length), sum})
	return nil
}

// deferred reports whether names are taken for different until Settle.
func (t *Targets) deferred() bool {
	return len(t.names.entries) >= tableNames && !t.lookup && !t.twice
}

// addLater adds a target whose name is taken for new.
func (t *Targets) addLater(hash uint64, name []byte, length int) {
	t.later.add(hash)
	t.list.add(name, length)
}

// Settle ends the targets. It returns false if names came twice that were taken for different: the
// targets are then gone, and have to be added once more.
func (t *Targets) Settle() bool {
	if t.later.count > 0 {
		for _, e := range t.names.entries {
			name, _ := t.list.target(e.at)
			t.later.add(t.names.hash(name))
		}
		if !t.later.different() {
			*t = *NewTargets(t.file, t.lookup)
			t.twice = true
			return false
		}
	}
	return true
}

// addNumbered adds the target of a pair without names. Ordinals grow.
func (t *Targets) addNumbered(ordinal int64, length int) {
	t.list.addNumbered(ordinal-t.ordinal, length)
	t.ordinal = ordinal
}

// numberTaken is the error of names and numbers that could be the same.
func (t *Targets) numberTaken() error {
	return fmt.Errorf("the target name %.80q is a number, and pairs without names have numbers: %w", t.number, ErrTarget)
}

// isNumber reports whether a name is a number as pairs without names have one.
func isNumber(name []byte) bool {
	if name[0] == '0' {
		return false
	}
	for _, b := range name {
		if b < '0' || b > '9' {
			return false
		}
	}
	return true
}

// numbered reports whether there are targets without names.
func (t *Targets) numbered() bool { return t.ordinal > 0 }

// find returns the number among the names of a target, or -1.
func (t *Targets) find(hash uint64, name []byte) int {
	for i, after := t.names.next(hash, t.names.home(hash)); i >= 0; i, after = t.names.next(hash, after) {
		if there, _ := t.list.target(t.names.entries[i].at); string(there) == string(name) {
			return i
		}
	}
	return -1
}

// fault says why a record must not name a target, "" where it may. It may be called
// concurrently.
func (t *Targets) fault(name []byte, length int) string {
	i := t.find(t.names.hash(name), name)
	if i < 0 {
		return fmt.Sprintf("target %.80q is not in %s, from which the @SQ lines are", string(name), t.file)
	}
	if _, there := t.list.target(t.names.entries[i].at); there != length {
		return fmt.Sprintf("target %.80q has %d letters, and %d in %s, from which the @SQ lines are", string(name), length, there, t.file)
	}
	return ""
}

// WriteHeader writes the header of settled targets: @HD, @SQ of each that has letters, and @PG, in
// pieces of whole lines. Append may be called at the same time.
func (t *Targets) WriteHeader(w io.Writer, p Program) error {
	const piece = 256 << 10
	text := make([]byte, 0, piece+piece/16)
	text = append(text, "@HD\tVN:1.6\tSO:unknown\n"...)
	ordinal := line.NewOrdinal(0)
	for _, rest := range t.list.all() {
		for len(rest) > 0 {
			text, rest = appendSQ(text, rest, &ordinal)
			if len(text) >= piece {
				if _, err := w.Write(text); err != nil {
					return err
				}
				text = text[:0]
			}
		}
	}
	_, err := w.Write(p.append(text))
	return err
}

// appendSQ appends the line of the first target of a list, and returns the others.
func appendSQ(text, list []byte, ordinal *line.Ordinal) (_, rest []byte) {
	n, k := binary.Uvarint(list)
	name, rest := list[k:][:n], list[k+int(n):]
	start := len(text)
	text = append(text, "@SQ\tSN:"...)
	if n == 0 {
		step, k := binary.Uvarint(rest)
		rest = rest[k:]
		ordinal.Add(int64(step))
		name = ordinal.Name(nil)
	}
	text = append(text, name...)
	length, k := binary.Uvarint(rest)
	rest = rest[k:]
	if length == 0 {
		return text[:start], rest // SAM has none; its records are unmapped
	}
	return append(line.AppendInt(append(text, "\tLN:"...), int(length)), '\n'), rest
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
