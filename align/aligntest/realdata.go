package aligntest

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
)

// RealSet is a file of real reads with their optimal scores.
type RealSet struct {
	Name   string
	Cases  []Case
	Scores map[align.Penalties][]int // one for each case
}

// RealSets lists the real read sets: files NAME.seq.gz with the optimal scores
// under two sets of penalties in NAME.scores.tsv.gz, in the directory that
// WFAGPU_DATA names. Without the data it skips the test. The files are read
// when load is called.
func RealSets(t testing.TB) (names []string, load func(t testing.TB, name string) RealSet) {
	t.Helper()
	dir := dataDir(t)
	files, err := filepath.Glob(filepath.Join(dir, "*.seq.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no .seq.gz files in %s (%v)", dir, err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".seq.gz"))
	}
	return names, func(t testing.TB, name string) RealSet {
		t.Helper()
		s := RealSet{Name: name, Scores: map[align.Penalties][]int{}}
		s.Cases = readPairs(t, filepath.Join(dir, name+".seq.gz"))
		for column, p := range RealPenalties() {
			scores := readScores(t, filepath.Join(dir, name+".scores.tsv.gz"), 1+column)
			if len(scores) != len(s.Cases) {
				t.Fatalf("%s: %d scores for %d pairs", name, len(scores), len(s.Cases))
			}
			s.Scores[p] = scores
		}
		return s
	}
}

// RealPenalties are those that the real sets have scores for.
func RealPenalties() []align.Penalties {
	return []align.Penalties{
		{Mismatch: 2, GapOpen: 3, GapExtend: 1},
		{Mismatch: 4, GapOpen: 6, GapExtend: 2},
	}
}

// CheckReal holds results against the stored scores and replays alignments.
// Every step-th case of the set was aligned.
func CheckReal(t testing.TB, o align.Options, s RealSet, step int, b *align.Batch) {
	t.Helper()
	wrong, count := 0, 0
	for i := 0; i < len(s.Cases); i += step {
		c, want, r := s.Cases[i], s.Scores[o.Penalties][i], b.Results[count]
		count++
		var err error
		if !o.ScoreOnly {
			err = Check(c.Pattern, c.Text, o.Penalties, r)
		}
		if r.Err == nil && r.Score == want && err == nil {
			continue
		}
		if wrong++; wrong <= 5 {
			t.Errorf("%s, level %q, %v, score only %v: score %d, want %d; errors %v, %v",
				c.Name, o.Level, o.Penalties, o.ScoreOnly, r.Score, want, r.Err, err)
		}
	}
	if wrong > 0 {
		t.Errorf("%s, level %q, %v: %d of %d pairs are wrong", s.Name, o.Level, o.Penalties, wrong, count)
	}
}

func dataDir(t testing.TB) string {
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

// eachLine calls f with every line of a gzip file. The test reads its data by
// itself, so that a fault of the program's reader cannot hide in it.
func eachLine(t testing.TB, file string, f func(n int, line string)) {
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

func readPairs(t testing.TB, file string) []Case {
	t.Helper()
	var cases []Case
	eachLine(t, file, func(n int, line string) {
		if want := "><"[n%2]; line == "" || line[0] != want {
			t.Fatalf("%s: line %d does not begin with %c", file, n+1, want)
		}
		if n%2 == 0 {
			cases = append(cases, Case{
				Name:    fmt.Sprintf("%s pair %d", filepath.Base(file), n/2),
				Pattern: []byte(line[1:]),
			})
		} else {
			cases[n/2].Text = []byte(line[1:])
		}
	})
	return cases
}

func readScores(t testing.TB, file string, column int) []int {
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
