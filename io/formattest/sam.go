package formattest

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// SAM is a file of SAM.
type SAM struct {
	Targets map[string]int // lengths
	Order   []string       // of the targets
	Command string         // of @PG
	Records []*Record
}

// Record is a record of SAM.
type Record struct {
	Name           string
	Flag           int
	Target         string
	Pos, MapQ      int
	CIGAR          string
	Seq, Qualities string
	Tags           map[string]string // by name and type, as in NM:i
}

// ParseSAM reads a file. Every record must name a target of the header, or none.
func ParseSAM(text string) (*SAM, error) {
	s := &SAM{Targets: map[string]int{}}
	if text != "" && !strings.HasSuffix(text, "\n") {
		return nil, errors.New("the last line has no end")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		var err error
		if strings.HasPrefix(line, "@") && len(s.Records) == 0 {
			err = s.header(line)
		} else {
			err = s.record(line)
		}
		if err != nil {
			return nil, fmt.Errorf("%.200q: %w", line, err)
		}
	}
	return s, nil
}

func (s *SAM) header(line string) error {
	f := strings.Split(line, "\t")
	t, err := map[string]string{}, error(nil)
	for _, field := range f[1:] {
		k, v, ok := strings.Cut(field, ":")
		if !ok {
			return fmt.Errorf("field %q", field)
		}
		t[k] = v
	}
	switch f[0] {
	case "@HD":
		if t["VN"] == "" || len(s.Targets) > 0 {
			return errors.New("no version, or not the first line")
		}
	case "@SQ":
		n, numberErr := strconv.Atoi(t["LN"])
		if _, twice := s.Targets[t["SN"]]; twice || numberErr != nil || n < 1 || t["SN"] == "" {
			return errors.New("no target, or one that is there twice")
		}
		s.Targets[t["SN"]] = n
		s.Order = append(s.Order, t["SN"])
	case "@PG":
		s.Command = t["CL"]
	default:
		return errors.New("unknown line")
	}
	return err
}

func (s *SAM) record(line string) error {
	f := strings.Split(line, "\t")
	if len(f) < 11 {
		return fmt.Errorf("%d columns", len(f))
	}
	n, err := numbers(f[1], f[3], f[4])
	if err != nil {
		return err
	}
	if f[6] != "*" || f[7] != "0" || f[8] != "0" {
		return errors.New("it has a mate")
	}
	r := &Record{f[0], n[0], f[2], n[1], n[2], f[5], f[9], f[10], nil}
	if r.Tags, err = tags(f[11:]); err != nil {
		return err
	}
	if r.Qualities != "*" && len(r.Qualities) != len(r.Seq) {
		return errors.New("letters and qualities differ in number")
	}
	if r.Mapped() != (r.Target != "*") || r.Mapped() != (r.CIGAR != "*") || r.Mapped() != (r.Pos > 0) {
		return errors.New("half mapped")
	}
	if _, known := s.Targets[r.Target]; r.Mapped() && !known {
		return errors.New("its target is not in the header")
	}
	s.Records = append(s.Records, r)
	return nil
}

// Mapped reports whether a record has a place.
func (r *Record) Mapped() bool { return r.Flag&4 == 0 }

// Reverse reports whether a record shows the reverse complement of its query.
func (r *Record) Reverse() bool { return r.Flag&16 != 0 }

// Replay checks a record with the whole sequences, the query as it was read: the letters of the record
// between hard clips are the query's, the soft clips and the CIGAR consume them, and the tags fit.
// It returns the alignment's place in the target, too.
func (r *Record) Replay(query, target string, p Penalties) (c Counts, begin, end int, err error) {
	if r.Reverse() {
		query = Reverse(query)
	}
	ops, err := ParseCIGAR(r.CIGAR)
	if err != nil {
		return c, 0, 0, err
	}
	hard := [2]int{}
	soft := [2]int{}
	for side := range 2 {
		for len(ops) > 0 {
			k := 0
			if side == 1 {
				k = len(ops) - 1
			}
			switch op := ops[k]; {
			case op.Letter == 'H' && hard[side] == 0 && soft[side] == 0:
				hard[side] = op.Length
			case op.Letter == 'S' && soft[side] == 0:
				soft[side] = op.Length
			default:
				goto next
			}
			ops = append(ops[:k:k], ops[k+1:]...)
		}
	next:
	}
	if hard[0]+hard[1] > len(query) {
		return c, 0, 0, errors.New("clips exceed the query")
	}
	query = query[hard[0] : len(query)-hard[1]]
	if want := query; r.Seq != want && !(want == "" && r.Seq == "*") {
		return c, 0, 0, errors.New("the letters are not those of the query")
	}
	if soft[0]+soft[1] > len(query) {
		return c, 0, 0, errors.New("soft clips exceed the letters")
	}
	query = query[soft[0] : len(query)-soft[1]]
	begin = r.Pos - 1
	end = begin
	for _, op := range ops {
		if op.Letter != 'I' {
			end += op.Length
		}
	}
	if end > len(target) {
		return c, begin, end, errors.New("it runs past the target")
	}
	target = target[begin:end]
	if c, err = Replay(ops, query, target, p); err != nil {
		return c, begin, end, err
	}
	if md, ok := r.Tags["MD:Z"]; ok {
		if err := replayMD(md, ops, query, target); err != nil {
			return c, begin, end, fmt.Errorf("MD:Z %s: %w", md, err)
		}
	}
	return c, begin, end, isTag(r.Tags, "NM:i", c.Columns()-c.Matches+ambiguousMatches(ops, query))
}

// ambiguousMatches counts columns of equal letters that SAM takes for a mismatch.
func ambiguousMatches(ops []Op, query string) int {
	n, q := 0, 0
	for _, op := range ops {
		if op.Letter == '=' {
			for _, b := range query[q : q+op.Length] {
				if !strings.ContainsRune("ACGTUMRWSYKVHDBacgtumrwsykvhdb", b) {
					n++
				}
			}
		}
		if op.Letter != 'D' {
			q += op.Length
		}
	}
	return n
}

var (
	mdWhole = regexp.MustCompile(`^[0-9]+(([A-Z]|\^[A-Z]+)[0-9]+)*$`)
	mdOp    = regexp.MustCompile(`[0-9]+|\^[A-Z]+|[A-Z]`)
)

// replayMD makes the target of the query, the CIGAR and MD.
func replayMD(md string, ops []Op, query, target string) error {
	if !mdWhole.MatchString(md) {
		return errors.New("not its syntax")
	}
	aligned, q := "", 0 // the query without insertions
	for _, op := range ops {
		if op.Letter != 'I' && op.Letter != 'D' {
			aligned += query[q : q+op.Length]
		}
		if op.Letter != 'D' {
			q += op.Length
		}
	}
	var made strings.Builder
	at := 0
	for _, op := range mdOp.FindAllString(md, -1) {
		switch n, err := strconv.Atoi(op); {
		case err == nil:
			if at+n > len(aligned) {
				return errors.New("it runs past the query")
			}
			made.WriteString(aligned[at : at+n])
			at += n
		case op[0] == '^':
			made.WriteString(op[1:])
		default:
			made.WriteString(op)
			at++
		}
	}
	if at != len(aligned) || !strings.EqualFold(made.String(), target) {
		return fmt.Errorf("it makes %.60q of the query, and the target is %.60q", made.String(), target)
	}
	return nil
}
