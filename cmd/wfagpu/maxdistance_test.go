package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
)

// With --max-distance K, lines of pairs that cost more have -1 and *, and all others are as
// without it, on the CPU and, with --check, proven. -g edit is 1,0,1.
func TestMaxDistance(t *testing.T) {
	pairs := wfagpu(t, "generate", "-n", "300", "-l", "100", "-e", "0.1") + ">\n<\n>ACGT\n<\n>ACGT\n<ACGT\n"
	whole := runOn(t, noGPUs, pairs, "align", "-g", "1,0,1")
	want := strings.Split(strings.TrimSuffix(whole.stdout, "\n"), "\n")
	for _, k := range []int{0, 3, 4, 9, 1000} {
		for _, flags := range [][]string{nil, {"--check"}, {"--score-only", "--check"}} {
			stats := filepath.Join(t.TempDir(), "stats.json")
			args := append([]string{"align", "-g", "edit", "--max-distance", strconv.Itoa(k), "--stats", stats}, flags...)
			got := runOn(t, noGPUs, pairs, args...)
			if got.code != 0 {
				t.Fatalf("%v: exit code %d, %s", args, got.code, got.stderr)
			}
			beyond := int64(0)
			for i, line := range strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n") {
				f := strings.Split(want[i], "\t")
				if score, err := strconv.Atoi(f[2]); err != nil {
					t.Fatal(err)
				} else if score > k {
					f[2], f[3] = "-1", "*"
					beyond++
				}
				if len(flags) == 2 {
					f = f[:3]
				}
				if line != strings.Join(f, "\t") {
					t.Fatalf("%v: line %q, want %q", args, line, f)
				}
			}
			var r report
			if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil {
				t.Fatal(err)
			}
			if r.MaxDistance == nil || *r.MaxDistance != k || r.Beyond != beyond {
				t.Errorf("%v: %v, %d beyond, want %d", args, r.MaxDistance, r.Beyond, beyond)
			}
			if text := count(beyond, "pair") + " above " + strconv.Itoa(k); !strings.Contains(got.stderr, text) {
				t.Errorf("%v: summary %q, want %q in it", args, got.stderr, text)
			}
		}
	}
}

// --check finds pairs that are reported above the distance and are not.
func TestCheckOfMaxDistance(t *testing.T) {
	pair := align.Pair{Pattern: []byte("ACGTACGTAC"), Text: []byte("ACGTAAC")} // costs 6
	for _, tc := range []struct {
		cutoff int
		wrong  bool
	}{{6, false}, {7, true}} {
		b := &align.Batch{Pairs: []align.Pair{pair}, First: 9}
		if err := (lyingEngine{[]align.Result{{Score: align.Beyond}}}).AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		for _, scoreOnly := range []bool{false, true} {
			inspect, err := inspection(&alignOptions{check: true, scoreOnly: scoreOnly, cutoff: tc.cutoff},
				align.Options{ScoreOnly: scoreOnly, Cutoff: tc.cutoff})
			if err != nil {
				t.Fatal(err)
			}
			problems, err := inspect(t.Context(), b, nil)
			if err != nil || (len(problems) > 0) != tc.wrong {
				t.Errorf("cutoff %d, score only %v: %v, %v", tc.cutoff, scoreOnly, problems, err)
			}
			if tc.wrong && (len(problems) != 1 || problems[0].record != 9 || !problems[0].mismatch) {
				t.Errorf("%+v", problems)
			}
		}
	}
}

// It finds scores that should have been reported as above the distance, and names all problems
// in the order of the input.
func TestCheckOfScoresAboveMaxDistance(t *testing.T) {
	pair := align.Pair{Pattern: []byte("ACGTACGTAC"), Text: []byte("ACGTAAC")} // costs 6
	right := align.Result{Score: 6, CIGAR: mustCIGAR(t, "5=3I2=")}
	for _, tc := range []struct {
		cutoff  int
		results []align.Result
		records []int64
	}{
		{7, []align.Result{right, right}, nil},
		{6, []align.Result{right, {Score: align.Beyond}, right}, []int64{1, 3}},
		{7, []align.Result{{Score: align.Beyond}, {Score: 5, CIGAR: right.CIGAR}, {Score: align.Beyond}}, []int64{1, 2, 3}},
	} {
		b := &align.Batch{First: 1}
		for range tc.results {
			b.Pairs = append(b.Pairs, pair)
		}
		if err := (lyingEngine{tc.results}).AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		inspect, err := inspection(&alignOptions{check: true, cutoff: tc.cutoff}, align.Options{Cutoff: tc.cutoff})
		if err != nil {
			t.Fatal(err)
		}
		problems, err := inspect(t.Context(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		var records []int64
		for _, p := range problems {
			records = append(records, p.record)
		}
		if !slices.Equal(records, tc.records) {
			t.Errorf("cutoff %d: problems of records %v, want %v", tc.cutoff, records, tc.records)
		}
	}
}
