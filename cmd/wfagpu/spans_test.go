package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/hybrid/hybridtest"
)

// Spans on the command line, by hand.
func TestSpanFlags(t *testing.T) {
	for _, tc := range []struct{ args, pair, score, cigar, place string }{
		{"", ">GGACGTACGTGG\n<ACGTACGT\n", "10", "2I8=2I", ""},
		{"-g 2,1", ">GGACGTACGTGG\n<ACGTACGT\n", "4", "2I8=2I", ""},
		{"-g 4,6,2,9,1", ">ACGTACGT\n<ACGTAAAAAAAACGT\n", "16", "4=7D4=", ""},
		{"-g edit", ">ACGT\n<ACCT\n", "1", "2=1X1=", ""},
		{"--match 1", ">ACGT\n<ACCT\n", "1", "2=1X1=", ""},
		{"--match 1", ">A\n<C\n", "-2", "1X", ""},
		{"--match 1 -g 1,1,1", ">A\n<C\n", "-1", "1X", ""},
		{"--span ends-free", ">ACGTACGT\n<GGACGTACGTGG\n", "0", "8=", "0 8 2 10"},
		{"--span ends-free", ">AACGTACGT\n<ACGTACGTGG\n", "4", "1I8=", "0 9 0 8"},
		{"--span ends-free --free 1,0,0,2", ">AACGTACGT\n<ACGTACGTGG\n", "0", "8=", "1 9 0 8"},
		{"--span ends-free --free 900,900,900,900", ">AACGTACGT\n<ACGTACGTGG\n", "0", "*", "0 0 10 10"},
		{"--span ends-free --free 0,all,all,0 --match 1", ">ACGTTTTT\n<CCCCACGT\n", "4", "4=", "0 4 4 8"},
		{"--span extension --match 1", ">ACGTGG\n<ACGTCCCCCC\n", "4", "4=", "0 4 0 4"},
		{"--span extension --match 1", ">CACGT\n<ACGTCCCCCC\n", "0", "*", "0 0 0 0"},
		{"--span local --match 1", ">TTACGTACCC\n<GGACGTAGGG\n", "5", "5=", "2 7 2 7"},
		{"--span local --match 1", ">AAAA\n<CCCC\n", "0", "*", "0 0 0 0"},
		{"--span local --match 1", ">NNNN\n<ANNNN\n", "4", "4=", "0 4 1 5"},
		{"--span local --match 2 --score-only", ">ACGT\n<ACGT\n", "8", "", ""},
		{"--span local --preset map-ont", ">ACGT\n<ACGT\n", "8", "4=", "0 4 0 4"},
		{"--span ends-free --max-distance 3", ">AACGTACGT\n<ACGTACGTGG\n", "-1", "*", "* * * *"},
		{"--match 1 -g 1,1,1 --mode approx", ">A\n<C\n", "-1", "1X", ""},
	} {
		args := append([]string{"align", "--check"}, strings.Fields(tc.args)...)
		want := "1\t1\t" + tc.score
		if tc.cigar != "" {
			want += "\t" + tc.cigar
		}
		got := runOn(t, noGPUs, tc.pair, args...)
		want = strings.Join(append([]string{want}, strings.Fields(tc.place)...), "\t") + "\n"
		if got.code != exitOK || got.stdout != want {
			t.Errorf("%s: %+v, want %q", tc.args, got, want)
		}
	}
}

// Combinations that make no sense end with exit code 2.
func TestWrongSpanFlags(t *testing.T) {
	for _, tc := range []struct{ args, stderr string }{
		{"--span local", "--span local needs a match score"},
		{"--span local --match 0", "--span local needs a match score"},
		{"--span extension", "--span extension needs a match score"},
		{"--span ends-free --free 0,all,all,0", "--free 0,all,all,0 needs a match score"},
		{"--span ends-free --free all,0,0,all", "--free all,0,0,all needs a match score"},
		{"--span ends-free --free all,all,all,all", "needs a match score"},
		{"--free 0,0,1,1", "--free belongs to --span ends-free, and the span is global"},
		{"--span ends-free --free 0,0,1", "want four numbers Qb,Qe,Tb,Te"},
		{"--span ends-free --free 0,0,1,-1", `"-1" is neither all nor a whole number`},
		{"--span ends-free --free 0,0,1,99999999999", `"99999999999" is neither all nor a whole number`},
		{"--span glocal", "want global, ends-free, extension or local"},
		{"--match 256", "want a whole number from 0 to 255"},
		{"--match -1", "want a whole number from 0 to 255"},
		{"--match 1 --max-distance 5", "--max-distance is for penalties"},
		{"--zdrop 10", "--zdrop belongs to --span extension, and the span is global"},
		{"--span extension --match 1 --zdrop 0", "want none or a whole number from 1"},
		{"--mode approx --span local --match 1", "--span local has no --mode approx"},
		{"--mode approx --span extension --match 1 --zdrop 100", "--zdrop is for --mode exact"},
		{"-g 4,6,2,24,2", "the second gap cost must have the higher open and the lower extend penalty"},
		{"-g 4,6,2,0,0", "second gap cost"},
		{"--preset map-on", "want none or one of minimap2, map-ont"},
		{"--preset map-ont -g 1,1,1", "--preset has the penalties and the match score: give it without --penalties"},
		{"--preset map-ont --match 3", "give it without --match"},
		{"--span ends-free --score-only --coordinates", "coordinates need alignments unless they are global"},
		{"--span local --match 1 --score-only --columns score,query_end", "coordinates need alignments unless they are global"},
		{"--match 1 --max-score 10", "--max-score is for penalties"},
	} {
		got := runOn(t, noGPUs, ">A\n<A\n", append([]string{"align"}, strings.Fields(tc.args)...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, tc.stderr) || got.stdout != "" {
			t.Errorf("%s: %+v, want %q", tc.args, got, tc.stderr)
		}
	}
}

// The check finds places that the span does not allow, and scores that the alignment does not
// have under the model.
func TestCheckOfSpans(t *testing.T) {
	o := align.Options{
		Span: align.EndsFree, Free: align.Free{TextBegin: 2, TextEnd: 3}, Match: 1,
		Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, LongGap: align.Gap{Open: 9, Extend: 1},
	}
	model, err := o.Model()
	if err != nil {
		t.Fatal(err)
	}
	pair := align.Pair{Pattern: []byte("ACGTACGT"), Text: []byte("GGACGTCCCCACGTCCC")}
	right := align.Result{Score: 8 - 13, CIGAR: mustCIGAR(t, "4=4D4="), Place: align.Place{PatternEnd: 8, TextBegin: 2, TextEnd: 14}}
	change := func(do func(*align.Result)) align.Result {
		r := right
		do(&r)
		return r
	}
	for _, tc := range []struct {
		result align.Result
		want   string
	}{
		{right, ""},
		{change(func(r *align.Result) { r.Score = -6 }), "score -6, but the CIGAR is worth -5"},
		{change(func(r *align.Result) { r.Place.TextBegin++ }), "the span does not allow an alignment of the query from 0 to 8 with the target from 3 to 14"},
		{change(func(r *align.Result) { r.Place.TextEnd = 13 }), "the span does not allow"},
		{change(func(r *align.Result) { r.Place.TextEnd = 18 }), "the span does not allow"},
		{change(func(r *align.Result) { r.Place.PatternBegin = 1 }), "the span does not allow"},
		{change(func(r *align.Result) { r.Place.TextBegin = -1 }), "the span does not allow"},
		{change(func(r *align.Result) { r.Place.TextBegin = 1 }), "cigar: column 1"},
		{change(func(r *align.Result) { r.CIGAR = mustCIGAR(t, "4=4D3=") }), "cigar: 11 columns consume 7 of 8 query letters"},
	} {
		b := &align.Batch{Pairs: []align.Pair{pair}, First: 1}
		if err := (lyingEngine{[]align.Result{tc.result}}).AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		c := &checker{model: model, values: o.Scoring().Values()}
		problems, err := c.inspect(t.Context(), b, nil)
		if err != nil || (len(problems) == 1) != (tc.want != "") || tc.want != "" && !strings.Contains(problems[0].err.Error(), tc.want) {
			t.Errorf("%+v: %v, %v, want %q", tc.result, problems, err, tc.want)
		}
	}
}

// The report names the model, and counts pairs whose similarity is below 0, that of -1 too.
func TestReportOfSpans(t *testing.T) {
	dir := t.TempDir()
	stats, page := filepath.Join(dir, "stats.json"), filepath.Join(dir, "page.html")
	input := ">A\n<C\n>ACGT\n<ACGT\n>A\n<CCCC\n"
	got := runOn(t, noGPUs, input, "align", "--match", "1", "-g", "1,2,2,3,1", "--stats", stats, "--report", page)
	if got.code != exitOK || got.stdout != "1\t1\t-1\t1X\n2\t2\t4\t4=\n3\t3\t-7\t3D1X\n" {
		t.Errorf("%+v", got)
	}
	var r report
	if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Penalties != (reportPenalties{1, 2, 2, 3, 1}) || r.Match != 1 || r.Span != "global" || r.Beyond != 0 {
		t.Errorf("%+v", r)
	}
	text := readFile(t, page)
	for _, want := range []string{"2 scores are below 0, the lowest is -7", "match 1, mismatch 1; a gap of length l", "whichever is less"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	got = runOn(t, noGPUs, input, "align", "--match", "1", "--span", "ends-free", "--free", "0,1,0,all", "--stats", stats)
	if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil || got.code != exitOK || r.Span != "ends-free" || r.Free != "0,1,0,all" {
		t.Errorf("%+v, %v, %+v", got, err, r)
	}
}

// Of similarities, a score below the optimum is one that the approximate mode has missed.
func TestRecallOfSimilarities(t *testing.T) {
	r := &recaller{similar: true}
	b := &align.Batch{Pairs: make([]align.Pair, 2), Results: []align.Result{{Score: 90}, {Score: -7}}, First: 1}
	r.engine = lyingEngine{[]align.Result{{Score: 100}, {Score: -7}}}
	if err := r.compare(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if got, want := *r.report(), (reportRecall{Pairs: 2, Optimal: 1, Percent: 50, ExcessPercent: 100. * 10 / 93, LargestExcess: 10}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	r.engine = lyingEngine{[]align.Result{{Score: 90}, {Score: -8}}}
	const want = "internal error: pair 2: the approximate score -7 is above the exact one, -8"
	if err := r.compare(t.Context(), b); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A machine with a GPU gives the same results. The CPU aligns what GPUs do not; where GPUs are
// required for that, it is an error.
func TestSpansBesideGPU(t *testing.T) {
	input := wfagpu(t, "generate", "-n", "50", "-l", "90", "-e", "0.1")
	for _, args := range []string{
		"--span ends-free", "--match 2", "-g 4,6,2,24,1", "--span local --preset bwa", "--span extension --preset sr --zdrop 100",
	} {
		flags := append([]string{"align", "--check"}, strings.Fields(args)...)
		want := runOn(t, noGPUs, input, flags...)
		got := runOn(t, hybridtest.NewMachine(&hybridtest.GPU{}), input, flags...)
		if got.code != exitOK || got.stdout != want.stdout || strings.Count(got.stdout, "\n") != 50 {
			t.Errorf("%s: exit code %d, %d bytes, want %d", args, got.code, len(got.stdout), len(want.stdout))
		}
		got = runOn(t, hybridtest.NewMachine(&hybridtest.GPU{}), input, append(flags, "--device", "gpu")...)
		switch {
		case !strings.Contains(args, "zdrop"):
			if got.code != exitOK || got.stdout != want.stdout {
				t.Errorf("%s on the GPU alone: exit code %d, %d bytes, want %d", args, got.code, len(got.stdout), len(want.stdout))
			}
		case got.code != exitDevice || !strings.Contains(got.stderr, "a z-drop is for the CPU"):
			t.Errorf("%s: %+v", args, got)
		}
	}
}
