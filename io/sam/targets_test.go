package sam

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"wfagpu/io/formattest"
)

func header(t *testing.T, targets *Targets) string {
	t.Helper()
	if !targets.Settle() {
		t.Fatal("a name came twice that was taken for new")
	}
	var text strings.Builder
	if err := targets.WriteHeader(&text, Program{"p", "1.2", "p x"}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestHeader: each target once, in the order of its first pair; one without letters is not there.
func TestHeader(t *testing.T) {
	targets := NewTargets("f", true)
	for _, a := range []struct {
		name   string
		length int
	}{{"b", 5}, {"a", 300}, {"b", 5}, {"none", 0}, {"", 7}, {"", 8}, {"a", 300}} {
		if a.name == "" {
			targets.addNumbered(int64(a.length), 1000)
		} else if err := targets.Add([]byte(a.name), nil, a.length); err != nil {
			t.Fatal(err)
		}
	}
	const want = "@HD\tVN:1.6\tSO:unknown\n@SQ\tSN:b\tLN:5\n@SQ\tSN:a\tLN:300\n@SQ\tSN:7\tLN:1000\n@SQ\tSN:8\tLN:1000\n@PG\tID:p\tPN:p\tVN:1.2\tCL:p x\n"
	if got := header(t, targets); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestManyTargets: the header comes in whole lines, and every name is found.
func TestManyTargets(t *testing.T) {
	const n = 200_000
	targets := NewTargets("f", true)
	for i := range n {
		if err := targets.Add(fmt.Appendf(nil, "t%d", i), nil, i+1); err != nil {
			t.Fatal(err)
		}
	}
	pieces := 0
	writer := writerFunc(func(text []byte) (int, error) {
		pieces++
		if text[len(text)-1] != '\n' || text[0] != '@' {
			t.Fatalf("piece %d is not whole lines", pieces)
		}
		return len(text), nil
	})
	if err := targets.WriteHeader(writer, Program{}); err != nil || pieces < 2 {
		t.Errorf("%d pieces, %v", pieces, err)
	}
	for i := 0; i < n; i += 997 {
		if why := targets.fault(fmt.Appendf(nil, "t%d", i), i+1); why != "" {
			t.Fatal(why)
		}
	}
	full := errors.New("full")
	if err := targets.WriteHeader(writerFunc(func([]byte) (int, error) { return 0, full }), Program{}); err != full {
		t.Errorf("a failed write: %v", err)
	}
}

type writerFunc func(text []byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

func TestTargetFaults(t *testing.T) {
	targets := NewTargets("f", true)
	add := func(name, letters string) error { return targets.Add([]byte(name), []byte(letters), len(letters)) }
	for _, name := range []string{"a", "b", "a"} {
		if err := add(name, "ACGT"); err != nil {
			t.Fatal(err)
		}
	}
	long := strings.Repeat("ACGTTGCA", 1000)
	for _, letters := range []string{long, strings.ToLower(long), strings.ReplaceAll(long, "T", "U"), long[:7999] + "a"} {
		if err := add("long", letters); err != nil {
			t.Error(err)
		}
	}
	for _, tc := range []struct {
		err  error
		same bool
		want string
	}{
		{add("a", "ACG"), true, `target "a" has 3 letters here and 4 before: SAM has one sequence of each name`},
		{add("a", "ACGA"), true, `target "a" has other letters than before: SAM has one sequence of each name`},
		{add("long", strings.ToLower(long[:7999])+"c"), true, `target "long" has other letters than before: SAM has one sequence of each name`},
		{add("*", "A"), false, `the target name "*" starts with '*', which SAM does not take`},
		{add("a\x01b", "A"), false, `the target name "a\x01b" has a control character, which SAM does not take`},
		{add("a\x7f", "A"), false, `the target name "a\x7f" has a control character, which SAM does not take`},
		{add("=x", "A"), false, `the target name "=x" starts with '=', which SAM does not take`},
		{targets.Add([]byte("c"), nil, 1<<31), false, `target "c" has 2147483648 letters, and SAM takes 2147483647`},
		{targets.Add(nil, nil, 1), false, "a target has no name"},
	} {
		if tc.err == nil || tc.err.Error() != tc.want || errors.Is(tc.err, ErrTarget) != tc.same {
			t.Errorf("got %v, want %s", tc.err, tc.want)
		}
	}
	if got := strings.Count(header(t, targets), "@SQ"); got != 3 {
		t.Errorf("%d targets, want 3", got)
	}
}

// TestSettle: of more names than a table takes, those that come twice are found: the header then has
// each once, and names with other letters are an error, in the second attempt.
func TestSettle(t *testing.T) {
	const n = 3 * tableNames
	for _, tc := range []struct {
		name         string
		first, again int // a name, and where it comes again; -1 for none
		conflict     bool
	}{
		{"different", -1, -1, false},
		{"early and late", 5, n - 1, false},
		{"late", tableNames + 1, 2*tableNames + 1, false},
		{"early", 5, 9, false},
		{"conflict", tableNames + 1, 2*tableNames + 1, true},
		{"early conflict", 5, 9, true},
	} {
		targets := NewTargets("f", false)
		add := func() error {
			for i := range n {
				name, letters := i, "ACGT"
				if i == tc.again {
					name = tc.first
					if tc.conflict {
						letters = "ACGA"
					}
				}
				if err := targets.Add(fmt.Appendf(nil, "t%d", name), []byte(letters), 4); err != nil {
					return err
				}
			}
			return nil
		}
		err := add()
		settled := err == nil && targets.Settle()
		if late := tc.again > tableNames; err == nil && settled == late || late && err != nil {
			t.Errorf("%s: settled is %v, %v", tc.name, settled, err)
		}
		if err == nil && !settled {
			if err = add(); err == nil && !targets.Settle() {
				t.Errorf("%s: not settled after all names were looked at", tc.name)
			}
		}
		if errors.Is(err, ErrTarget) != tc.conflict {
			t.Errorf("%s: %v", tc.name, err)
		}
		want := n
		if tc.again >= 0 {
			want--
		}
		if text := header(t, targets); err == nil && (strings.Count(text, "@SQ") != want || strings.Count(text, "\tSN:t5\t") != 1) {
			t.Errorf("%s: %d targets, want %d", tc.name, strings.Count(text, "@SQ"), want)
		}
	}
}

// TestLongNames: names longer than the blocks of the list.
func TestLongNames(t *testing.T) {
	targets := NewTargets("f", true)
	for i := range 5 {
		name := strings.Repeat(string(rune('a'+i)), listBlock/2+i*listBlock/3)
		for range 2 {
			if err := targets.Add([]byte(name), nil, i+1); err != nil {
				t.Fatal(err)
			}
		}
		if why := targets.fault([]byte(name), i+1); why != "" {
			t.Errorf("name %d: %.99s", i, why)
		}
	}
	if got := strings.Count(header(t, targets), "@SQ"); got != 5 {
		t.Errorf("%d targets, want 5", got)
	}
}

// TestHeaderBesideRecords: records are made while the header is written.
func TestHeaderBesideRecords(t *testing.T) {
	b, wholes := formattest.MixedBatch(t, 1, 50)
	targets := NewTargets("f", true)
	for i, w := range wholes {
		if name := b.Pairs[i].TextName; name != nil {
			if err := targets.Add(name, nil, len(w.Target)); err != nil {
				t.Fatal(err)
			}
		} else {
			targets.addNumbered(b.First+int64(i), len(w.Target))
		}
	}
	targets.Settle()
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			if _, err := Append(nil, b, Options{Targets: targets}); err != nil {
				t.Error(err)
			}
		})
	}
	if err := targets.WriteHeader(io.Discard, Program{}); err != nil {
		t.Error(err)
	}
	running.Wait()
}
