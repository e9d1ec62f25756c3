package seqio

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestParsePAFErrors(t *testing.T) {
	const good = "r1\t9\t1\t8\t-\tc\t20\t2\t9\t7\t7\t60"
	if h, err := parsePAF([]byte(good + "\ttp:A:S\tcg:Z:7M")); err != nil || h.kind != 'S' || !h.reverse || h.targetTo != 9 {
		t.Errorf("%+v, %v", h, err)
	}
	replace := func(column int, text string) string {
		fields := strings.Split(good, "\t")
		fields[column-1] = text
		return strings.Join(fields, "\t")
	}
	for line, want := range map[string]string{
		"r1":                              "1 column: want 12, as in PAF",
		good[:len(good)-3]:                "11 columns: want 12, as in PAF",
		replace(1, ""):                    "a name is missing",
		replace(6, ""):                    "a name is missing",
		replace(2, "x"):                   `column 2: "x" is no number from 0 on`,
		replace(3, "-1"):                  `column 3: "-1" is no number from 0 on`,
		replace(4, ""):                    `column 4: "" is no number from 0 on`,
		replace(7, "1e3"):                 `column 7: "1e3" is no number from 0 on`,
		replace(8, "+2"):                  `column 8: "+2" is no number from 0 on`,
		replace(9, "9999999999999999999"): `column 9: "9999999999999999999" is no number from 0 on`,
		replace(10, "*"):                  `column 10: "*" is no number from 0 on`,
		replace(12, "256"):                "column 12: a mapping quality is 255 at most",
		replace(5, "."):                   `column 5: "." is no strand, which is + or -`,
		replace(4, "10"):                  "1 to 10 is no part of a query of 9 letters",
		replace(3, "8"):                   "", // an empty part
		replace(3, "9"):                   "9 to 8 is no part of a query of 9 letters",
		replace(9, "21"):                  "2 to 21 is no part of a target of 20 letters",
		replace(8, "10"):                  "10 to 9 is no part of a target of 20 letters",
	} {
		h, err := parsePAF([]byte(line))
		if other, otherErr := parseColumns([]byte(line)); fmt.Sprint(h, err) != fmt.Sprint(other, otherErr) {
			t.Errorf("%q: %+v, %v by one way and %+v, %v by the other", line, h, err, other, otherErr)
		}
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

// FuzzPAF: no text panics, every hit that is read can be cut from sequences of its
// lengths, and hits read back when written plainly.
func FuzzPAF(f *testing.F) {
	for _, s := range []string{
		"", "\n", "r1\t100",
		"r1\t100\t0\t90\t+\tc1\t1000\t200\t290\t88\t90\t60\ttp:A:P\tAS:i:150\n",
		"r1\t9\t1\t8\t-\tc\t20\t2\t9\t7\t7\t60\tAS:i:-3\ttp:A:P\r\nr1\t9\t0\t9\t-\tc\t20\t2\t9\t7\t7\t60\ttp:A:P\tAS:i:4",
		"r1\t9\t0\t9\t+\tc\t9\t0\t9\t9\t9\t60\ttp:A:S\nr2\t9\t9\t9\t+\tc\t9\t9\t9\t9\t9\t60\ttp:A:P\n",
		"r1\t9\t5\t2\t+\tc\t9\t0\t12\t9\t9\t60\ttp:A:P\n",
		"r1\t9\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\nr2\t3\t0\t3\t-\tc\t9\t3\t6\t3\t3\t60\n",
	} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, text string, flank int) {
		s := &hitSet{}
		lengths := map[string]int64{} // of reads, and of targets behind a tab
		add := func(records *[]record, key string, name []byte, n int64) bool {
			const most = 1 << 12 // letters; speed finds more than length does
			if old, ok := lengths[key]; ok {
				return old == n
			}
			if n > most || len(firstWord(name)) != len(name) || bytes.IndexByte(name, 0) >= 0 || bytes.IndexByte(name, '\r') >= 0 {
				return false
			}
			lengths[key] = n
			letters := bytes.Repeat([]byte("acgtN"), int(n)/5+1)[:n]
			*records = append(*records, record{name: bytes.Clone(name), letters: letters, qualities: letters})
			return true
		}
		for line := range strings.SplitSeq(text, "\n") {
			h, err := parsePAF([]byte(line))
			if other, otherErr := parseColumns([]byte(line)); err == nil && fmt.Sprint(h, err) != fmt.Sprint(other, otherErr) || err != nil && fmt.Sprint(err) != fmt.Sprint(otherErr) {
				t.Fatalf("%q: %+v, %v by one way and %+v, %v by the other", line, h, err, other, otherErr)
			}
		}
		src, err := openSource("-", strings.NewReader(text))
		if err != nil || src.startHits() != nil {
			return
		}
		p, stop := newPAFReader(src), make(chan struct{})
		var running sync.WaitGroup
		p.start(nil, stop, &running)
		defer running.Wait()
		defer close(stop)
		for {
			next, _, err := p.next(false)
			if err != nil {
				break
			}
			h := next.hit
			if !add(&s.reads, string(h.query), h.query, h.queryLength) || !add(&s.targets, "\t"+string(h.target), h.target, h.targetLength) {
				return
			}
			h.query, h.target = bytes.Clone(h.query), bytes.Clone(h.target)
			s.hits = append(s.hits, h)
		}
		if len(s.hits) == 0 {
			return
		}
		flank = max(flank, 0)
		paths := files(t, s.paf("\n"), fasta(s.targets, 50, "\n"), fastq(s.reads, "\n"))
		in := Inputs{Hits: paths[0], Target: paths[1:2], Query: paths[2:], Flank: flank}
		got, _, err := readPlaced(t, in, nil, Limits{Pairs: 3})
		samePlaced(t, fmt.Sprintf("%q", text), got, s.want(int64(min(flank, 1<<30)), false), err)
	})
}
