package formattest

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// PAF is a line of PAF.
type PAF struct {
	Query, Target                        string
	QueryLength, QueryStart, QueryEnd    int
	Reverse                              bool
	TargetLength, TargetStart, TargetEnd int
	Matches, Columns, MapQ               int
	Tags                                 map[string]string // by name and type, as in NM:i
}

// ParsePAF reads a line without its end.
func ParsePAF(line string) (*PAF, error) {
	f := strings.Split(line, "\t")
	if len(f) < 12 {
		return nil, fmt.Errorf("%d columns", len(f))
	}
	n, err := numbers(f[1], f[2], f[3], f[6], f[7], f[8], f[9], f[10], f[11])
	if err != nil {
		return nil, err
	}
	if f[4] != "+" && f[4] != "-" {
		return nil, fmt.Errorf("strand %q", f[4])
	}
	t, err := tags(f[12:])
	return &PAF{f[0], f[5], n[0], n[1], n[2], f[4] == "-", n[3], n[4], n[5], n[6], n[7], n[8], t}, err
}

// Replay checks a line with the whole sequences, the query as it was read.
func (r *PAF) Replay(query, target string, p Penalties) (Counts, error) {
	if r.QueryLength != len(query) || r.TargetLength != len(target) ||
		r.QueryStart > r.QueryEnd || r.QueryEnd > len(query) || r.TargetStart > r.TargetEnd || r.TargetEnd > len(target) {
		return Counts{}, fmt.Errorf("lengths or places of %+v do not fit %d and %d letters", r, len(query), len(target))
	}
	query, target = query[r.QueryStart:r.QueryEnd], target[r.TargetStart:r.TargetEnd]
	if r.Reverse {
		query = Reverse(query)
	}
	ops, err := ParseCIGAR(r.Tags["cg:Z"])
	if err != nil {
		return Counts{}, err
	}
	c, err := Replay(ops, query, target, p)
	if err != nil {
		return c, err
	}
	if r.Matches != c.Matches || r.Columns != c.Columns() {
		return c, fmt.Errorf("%d matches of %d columns, want %+v", r.Matches, r.Columns, c)
	}
	different := c.Mismatches + c.InsertionRuns + c.DeletionRuns
	divergence := float64(different) / float64(c.Matches+different)
	if d, err := strconv.ParseFloat(r.Tags["de:f"], 64); err != nil || d < divergence-0.000051 || d > divergence+0.000051 {
		return c, fmt.Errorf("de:f is %s, want %.4f", r.Tags["de:f"], divergence)
	}
	if cs, ok := r.Tags["cs:Z"]; ok {
		if err := replayCS(cs, query, target); err != nil {
			return c, fmt.Errorf("cs:Z: %w", err)
		}
	}
	return c, isTag(r.Tags, "NM:i", c.Columns()-c.Matches)
}

var csOp = regexp.MustCompile(`^(:[0-9]+|\*[a-z][a-z]|[-+][a-z]+)`)

// replayCS checks that cs makes the query of the target.
func replayCS(cs, query, target string) error {
	query, target = strings.ToLower(query), strings.ToLower(target)
	cut := func(s *string, n int) string {
		n = min(n, len(*s))
		head := (*s)[:n]
		*s = (*s)[n:]
		return head
	}
	for cs != "" {
		op := cut(&cs, len(csOp.FindString(cs)))
		switch {
		case op == "":
			return fmt.Errorf("no operation at %.20q", cs)
		case op[0] == ':':
			n, _ := strconv.Atoi(op[1:])
			if q, t := cut(&query, n), cut(&target, n); q != t || len(q) != n {
				return fmt.Errorf("%s over %q and %q", op, q, t)
			}
		case op[0] == '*':
			if t, q := cut(&target, 1), cut(&query, 1); op != "*"+t+q || t == q {
				return fmt.Errorf("%s over %q and %q", op, t, q)
			}
		case op[0] == '+':
			if q := cut(&query, len(op)-1); op[1:] != q {
				return fmt.Errorf("%s over %q", op, q)
			}
		default:
			if t := cut(&target, len(op)-1); op[1:] != t {
				return fmt.Errorf("%s over %q", op, t)
			}
		}
	}
	if query != "" || target != "" {
		return errors.New("it ends before the alignment")
	}
	return nil
}
