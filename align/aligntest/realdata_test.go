package aligntest_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// dataDir finds the real read sets: files NAME.seq.gz with the optimal scores
// under two penalty sets in NAME.scores.tsv.gz.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, named := os.LookupEnv("WFAGPU_DATA")
	if !named {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(dir); err != nil {
		if named {
			t.Fatalf("WFAGPU_DATA: %v", err)
		}
		t.Skipf("the real read sets are not there (set WFAGPU_DATA to their directory): %v", err)
	}
	return dir
}

// Every pair of real data has its stored score, and an alignment that costs
// it, in both modes. The fastest code path takes all pairs, the others a
// sample; under -short all of them do.
func TestRealData(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(dataDir(t), "*.seq.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no .seq.gz files in %s (%v)", dataDir(t), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".seq.gz"), func(t *testing.T) {
			cases := readPairs(t, file)
			for column, p := range []align.Penalties{
				{Mismatch: 2, GapOpen: 3, GapExtend: 1},
				{Mismatch: 4, GapOpen: 6, GapExtend: 2},
			} {
				want := readScores(t, strings.TrimSuffix(file, ".seq.gz")+".scores.tsv.gz", 1+column)
				if len(want) != len(cases) {
					t.Fatalf("%d scores for %d pairs", len(want), len(cases))
				}
				for i, level := range align.Levels() {
					step := sampleStep(i == 0, level)
					o := align.Options{Penalties: p, Level: level}
					checkRealData(t, o, cases, want, step)
					o.ScoreOnly = true
					checkRealData(t, o, cases, want, step)
				}
			}
		})
	}
}

// sampleStep is the distance between the pairs that a code path takes.
func sampleStep(fastest bool, l align.Level) int {
	switch {
	case l == align.LevelGo && testing.Short():
		return 500
	case testing.Short():
		return 100
	case fastest:
		return 1
	case l == align.LevelGo:
		return 100
	}
	return 10
}

func checkRealData(t *testing.T, o align.Options, all []aligntest.Case, wantAll []int, step int) {
	t.Helper()
	var cases []aligntest.Case
	var want []int
	for i := 0; i < len(all); i += step {
		cases, want = append(cases, all[i]), append(want, wantAll[i])
	}
	b := alignCases(t, o, cases)
	wrong := 0
	for i, c := range cases {
		r := b.Results[i]
		var err error
		if !o.ScoreOnly {
			err = aligntest.Check(c.Pattern, c.Text, o.Penalties, r)
		}
		if r.Err == nil && r.Score == want[i] && err == nil {
			continue
		}
		if wrong++; wrong <= 5 {
			t.Errorf("%s, level %s, %v, score only %v: score %d, want %d; errors %v, %v",
				c.Name, o.Level, o.Penalties, o.ScoreOnly, r.Score, want[i], r.Err, err)
		}
	}
	if wrong > 0 {
		t.Errorf("level %s, %v: %d of %d pairs are wrong", o.Level, o.Penalties, wrong, len(cases))
	}
}

// eachLine calls f with every line of a gzip file. The test reads its data by
// itself, so that a fault of the program's reader cannot hide in it.
func eachLine(t *testing.T, file string, f func(n int, line string)) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	plain, err := gzip.NewReader(in)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, 1<<24)
	for n := 0; lines.Scan(); n++ {
		f(n, lines.Text())
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func readPairs(t *testing.T, file string) []aligntest.Case {
	t.Helper()
	var cases []aligntest.Case
	eachLine(t, file, func(n int, line string) {
		if want := "><"[n%2]; line == "" || line[0] != want {
			t.Fatalf("%s: line %d does not begin with %c", file, n+1, want)
		}
		if n%2 == 0 {
			cases = append(cases, aligntest.Case{
				Name:    fmt.Sprintf("%s pair %d", filepath.Base(file), n/2),
				Pattern: []byte(line[1:]),
			})
		} else {
			cases[n/2].Text = []byte(line[1:])
		}
	})
	return cases
}

func readScores(t *testing.T, file string, column int) []int {
	t.Helper()
	var scores []int
	eachLine(t, file, func(n int, line string) {
		if n == 0 {
			return // header
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			t.Fatalf("%s: line %d has %d fields", file, n+1, len(fields))
		}
		score, err := strconv.Atoi(fields[column])
		if err != nil {
			t.Fatalf("%s: line %d: %v", file, n+1, err)
		}
		scores = append(scores, score)
	})
	return scores
}
