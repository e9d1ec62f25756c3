package seqio

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCrowd: many records of one name are found, and no search walks past all of them.
func TestCrowd(t *testing.T) {
	const n = 20_000
	table := newRecordTable()
	var want []int64
	for i := range int64(n) {
		name := "same"
		if i%3 == 0 {
			name = fmt.Sprint("r", i)
		} else {
			want = append(want, i)
		}
		table.add([]byte(name), i)
	}
	if got := table.candidates(nil, []byte("same")); !slices.Equal(got, want) {
		t.Errorf("%d records of the name, want %d", len(got), len(want))
	}
	for i := int64(0); i < n; i += 3 {
		if got := table.candidates(nil, fmt.Append(nil, "r", i)); !slices.Contains(got, i) {
			t.Fatalf("record %d is not among %v", i, got)
		}
	}
	run, longest := 0, 0
	for _, r := range table.slots {
		if run++; r == 0 {
			run = 0
		}
		longest = max(longest, run)
	}
	if longest > 500 {
		t.Errorf("%d slots in a row are taken", longest)
	}
}

// TestMateBesideEqualPrint: a record whose name has the print of a mate's by chance does not hide the record that the mate is of.
func TestMateBesideEqualPrint(t *testing.T) {
	const n = 1 << 18 // more than enough for names of one print
	seed := newRecordTable().seed
	mates, mate, other := map[uint32]string{}, "", ""
	for i := range n {
		name := fmt.Sprintf("r%d/1", i)
		mates[uint32(maphash.String(seed, name)>>32)] = name
	}
	for i := 0; mate == ""; i++ {
		other = fmt.Sprint("x", i)
		mate = mates[uint32(maphash.String(seed, other)>>32)]
	}
	plain := strings.TrimSuffix(mate, "/1")
	src := files(t, ">"+other+"\nA\n>"+plain+"\nC\n>"+plain+"\nG\n")
	table := newRecordTable()
	table.seed = seed
	sources, err := openSources(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.addSource(sources[0]); err != nil {
		t.Fatal(err)
	}
	defer table.close()
	var scratch []int64
	for name, want := range map[string]int64{other: 0, mate: 1, plain + "/2": 2} {
		if got, err := table.find([]byte(name), &scratch); got != want || err != nil {
			t.Errorf("%q is record %d, %v, want %d", name, got, err, want)
		}
	}
}

// TestRecordStreamStops: who waits for a record of a stream that has been stopped does not wait for ever.
func TestRecordStreamStops(t *testing.T) {
	sources, err := openSources(files(t, strings.Repeat(">r\n"+strings.Repeat("ACGT", streamText/8)+"\n", 4*streamBlocks)), nil)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	s := startRecords(sources, 0, stop, &wg)
	if _, err := s.next(); err != nil {
		t.Fatal(err)
	}
	close(stop)
	wg.Wait()
	ended := make(chan error)
	go func() {
		for {
			if _, err := s.next(); err != nil {
				ended <- err
				return
			}
		}
	}()
	select {
	case err := <-ended:
		if err != errClosed {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the stream still waits")
	}
}
