package seqio

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// TestLocated: the place of a pair's query, however pairs are made of the files.
func TestLocated(t *testing.T) {
	name := func(paths []string, text string) string {
		for _, path := range paths {
			text = strings.ReplaceAll(text, path, filepath.Base(path))
		}
		return text
	}
	records := files(t, ">a\nA\n>b\nA\nA\n\n>c\n", ">d x\nA\n>e\nA", compress(t, "@f\nA\n+\nI\n@g\nA\n+\nI\n"))
	pairs := files(t, ">A\n<A\n\r\n\n>A\tq\r\n\n<A\tt\r\n>A\n<A\n", "\n>A\n<A\n>A\n<A", compress(t, ">A\n<A\n"))
	for _, tc := range []struct {
		in   Inputs
		pair int64
		want string
	}{
		{Inputs{Query: records}, 1, "file1:1: record 1: bad"},
		{Inputs{Query: records}, 3, "file1:7: record 3: bad"},
		{Inputs{Query: records}, 5, "file2:3: record 2: bad"},
		{Inputs{Query: records}, 7, "file3:5: record 2: bad"},
		{Inputs{Query: records}, 8, `file1, file2, file3: pair 8, of the query "e": bad`},
		{Inputs{Query: records, FirstNumber: 100}, 104, "file2:3: record 2: bad"},
		{Inputs{Query: records, Interleaved: true}, 3, "file2:3: record 2: bad"},
		{Inputs{Query: records, ByName: true}, 2, "file2:3: record 2: bad"},
		{Inputs{Query: []string{records[0], "-"}}, 2, "file1:3: record 2: bad"},
		{Inputs{Query: []string{records[0], "-"}}, 4, `file1, stdin: pair 4, of the query "e": bad`},
		{Inputs{Pairs: pairs}, 1, "file1:1: record 1: bad"},
		{Inputs{Pairs: pairs}, 2, "file1:5: record 2: bad"},
		{Inputs{Pairs: pairs}, 3, "file1:8: record 3: bad"},
		{Inputs{Pairs: pairs}, 4, "file2:2: record 1: bad"},
		{Inputs{Pairs: pairs, FirstNumber: 3}, 8, "file3:1: record 1: bad"},
		{Inputs{Pairs: []string{"-"}}, 1, `stdin: pair 1, of the query "e": bad`},
	} {
		err := Located(t.Context(), tc.in, &RecordError{Record: tc.pair, Query: "e", Why: "bad"})
		if got := name(tc.in.Files(), err.Error()); got != tc.want {
			t.Errorf("%+v, pair %d: %s; want %s", tc.in, tc.pair, got, tc.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Located(ctx, Inputs{Query: records}, &RecordError{Record: 7, Why: "bad"}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
