package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

// lyingEngine answers with prepared results.
type lyingEngine struct{ results []align.Result }

func (l lyingEngine) AlignBatch(_ context.Context, b *align.Batch) error {
	b.PrepareResults()
	for i, r := range l.results {
		if r.Place == (align.Place{}) {
			r.Place = b.Pairs[i].Whole()
		}
		b.Results[i] = r
	}
	return nil
}

func mustCIGAR(t *testing.T, text string) cigar.CIGAR {
	t.Helper()
	c, err := cigar.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCheckFindsWrongResults(t *testing.T) {
	pair := align.Pair{Pattern: []byte("ACGTACGTAC"), Text: []byte("ACGTAAC")}
	gaveUp := errors.New("gave up")
	for _, tc := range []struct {
		name   string
		result align.Result
		want   string // "" means that nothing is wrong
		failed bool   // not aligned, rather than wrong
	}{
		{name: "right", result: align.Result{Score: 6, CIGAR: mustCIGAR(t, "5=3I2=")}},
		{name: "wrong score", result: align.Result{Score: 7, CIGAR: mustCIGAR(t, "5=3I2=")}, want: "score 7, but the CIGAR costs 6"},
		{name: "gap on the wrong side", result: align.Result{Score: 6, CIGAR: mustCIGAR(t, "5=3D2=")}, want: " "},
		{name: "match that is none", result: align.Result{Score: 6, CIGAR: mustCIGAR(t, "6=3I1=")}, want: " "},
		{name: "mismatch that is none", result: align.Result{Score: 8, CIGAR: mustCIGAR(t, "1X4=3I2=")}, want: " "},
		{name: "too short", result: align.Result{Score: 6, CIGAR: mustCIGAR(t, "5=3I1=")}, want: " "},
		{name: "empty", result: align.Result{Score: 0}, want: " "},
		{name: "not aligned", result: align.Result{Err: gaveUp}, want: "gave up", failed: true},
	} {
		b := &align.Batch{Pairs: []align.Pair{pair}, First: 41}
		if err := (lyingEngine{[]align.Result{tc.result}}).AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		c := &checker{model: defaultModel(t), values: align.Options{}.Scoring().Values()}
		problems, err := c.inspect(t.Context(), b, nil)
		switch {
		case err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.want == "" && len(problems) > 0:
			t.Errorf("%s: %v", tc.name, problems)
		case tc.want == "":
		case len(problems) != 1:
			t.Errorf("%s: %d problems, want 1", tc.name, len(problems))
		case problems[0].record != 41 || problems[0].mismatch == tc.failed || !strings.Contains(problems[0].err.Error(), tc.want):
			t.Errorf("%s: %+v", tc.name, problems[0])
		}
		// Without --check, only the pair that was not aligned is a problem.
		problems, err = failures(t.Context(), b, nil)
		if err != nil || (len(problems) == 1) != tc.failed {
			t.Errorf("%s, unchecked: %v, %v", tc.name, problems, err)
		}
	}
}

// In score-only mode the scores are held against those of a second engine.
func TestCheckScoreOnly(t *testing.T) {
	b := &align.Batch{First: 1, Pairs: []align.Pair{
		{Pattern: []byte("ACGTACGTAC"), Text: []byte("ACGTAAC")},
		{Pattern: []byte("ACGT"), Text: []byte("ACGT")},
		{Pattern: []byte("ACGT"), Text: []byte("AGGT")},
	}}
	tracer, err := align.New(align.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{model: defaultModel(t), values: align.Options{}.Scoring().Values(), tracer: &again{engine: tracer}}
	for _, tc := range []struct {
		scores [3]int
		bounds bool
		wrong  []int64
	}{
		{[3]int{6, 0, 2}, false, nil},
		{[3]int{6, 1, 2}, false, []int64{2}},
		{[3]int{5, 0, 3}, false, []int64{1, 3}},
		// Where scores are upper bounds, alignments may cost less, but not more.
		{[3]int{6, 1, 5}, true, nil},
		{[3]int{5, 1, 1}, true, []int64{1, 3}},
	} {
		c.bounds = tc.bounds
		b.PrepareResults()
		for i, s := range tc.scores {
			b.Results[i].Score = s
		}
		problems, err := c.inspect(t.Context(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) != len(tc.wrong) {
			t.Errorf("scores %v: problems %v, want records %v", tc.scores, problems, tc.wrong)
			continue
		}
		for i, p := range problems {
			if p.record != tc.wrong[i] || !p.mismatch {
				t.Errorf("scores %v: problem %+v, want record %d", tc.scores, p, tc.wrong[i])
			}
		}
	}
}

// A CIGAR beside its score costs exactly that, in approximate mode, too.
func TestCheckOfBoundsWithCIGAR(t *testing.T) {
	b := &align.Batch{Pairs: []align.Pair{{Pattern: []byte("ACGT"), Text: []byte("ACGT")}}}
	b.Results = []align.Result{{Score: 1, CIGAR: mustCIGAR(t, "4=")}}
	c := &checker{model: defaultModel(t), values: align.Options{}.Scoring().Values(), bounds: true}
	if problems, err := c.inspect(t.Context(), b, nil); err != nil || len(problems) != 1 || !problems[0].mismatch {
		t.Errorf("%v, %v", problems, err)
	}
}

// A run with wrong or failed pairs ends in an error that counts them, and
// names no more than a few.
func TestProblemsAreCountedAndNamed(t *testing.T) {
	for _, tc := range []struct {
		sum  totals
		code int
		want string
	}{
		{totals{pairs: 3}, exitOK, ""},
		{totals{pairs: 3, failed: 1}, exitFailed, "1 pair could not be aligned"},
		{totals{pairs: 3, mismatched: 2}, exitMismatch, "--check found 2 wrong alignments"},
		{totals{pairs: 3, failed: 1, mismatched: 1}, exitMismatch, "--check found 1 wrong alignment"},
	} {
		err := tc.sum.err()
		if code := exitCode(err); code != tc.code {
			t.Errorf("%+v: exit code %d, want %d", tc.sum, code, tc.code)
		}
		if err != nil && err.Error() != tc.want || err == nil && tc.want != "" {
			t.Errorf("%+v: %v, want %q", tc.sum, err, tc.want)
		}
	}

	var out bytes.Buffer
	con := &console{err: &out, quiet: true}
	for i := range 100 {
		con.pairProblem(pairProblem{record: int64(i + 1), err: errors.New("odd")})
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != shownProblems+1 || lines[0] != "wfagpu: error: pair 1: odd" || !strings.Contains(lines[shownProblems], "not shown") {
		t.Errorf("problems printed as %q", lines)
	}
}

// defaultModel is the model of the default options.
func defaultModel(t *testing.T) align.Model {
	t.Helper()
	m, err := align.Options{}.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
