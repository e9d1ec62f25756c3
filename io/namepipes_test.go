//go:build linux || darwin

package seqio

import (
	"fmt"
	"testing"
)

// Two pipes that one program writes in step do not wait for each other.
func TestByNameFromPipes(t *testing.T) {
	query, target := fifos(t)
	in := Inputs{ByName: true, Query: []string{query}, Target: []string{target}, Names: NamesEqual}
	r, writers := openWriters(t, in, query, target)
	defer r.Close()
	const records = 20_000
	go func() {
		for i := range records {
			fmt.Fprintf(writers[0], ">%d\nACGTACGTACGTACGT\n", i)
			fmt.Fprintf(writers[1], ">%d\nACGTACGTACGTACGT\n", i)
		}
		writers[0].Close()
		writers[1].Close()
	}()
	within(t, "two pipes", func() {
		got, err := drain(t, r, Limits{})
		if err != nil || len(got) != records {
			t.Errorf("%d pairs, %v", len(got), err)
		}
	})
}
