package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/io/formattest"
)

// The read ..CCGGTAACGTC. on the strand -, in the reference from its third letter on.
const (
	testReference = "AACCGGTTACGTTTTTTT"
	testRead      = "TGACGTTACCGGTT"
	testHit       = "r\t14\t1\t12\t-\ts\t18\t2\t12\t9\t12\t7\ttp:A:P"
	testSAM       = "@SQ\tSN:s\tLN:18\n" +
		"r\t16\ts\t3\t7\t2S5=1X4=1I1S\t*\t0\t0\tAACCGGTAACGTCA\t*\tNM:i:2\tAS:i:8\tMD:Z:5T4\n"
	testPAF = "r\t14\t1\t12\t-\ts\t18\t2\t12\t9\t11\t7\tNM:i:2\tAS:i:8\tde:f:0.1818\tcg:Z:5=1X4=1I\tcs:Z::5*ta:4+c\n"
)

// testFaults replays a record and a line.
func testFaults(t *testing.T, hit, sam, paf string, whole bool) faults {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"hits.paf": hit + "\n", "x.sam": sam, "x.paf": paf} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &result{sample: &sample{
		kind: kind{scheme: noisy}, reads: []read{{"r", testRead, ""}},
		number: map[string]int{"r": 0}, genome: map[string]string{"s": testReference},
	}}
	tools := &tools{dir: dir}
	hits, err := tools.readPAF("hits.paf")
	if err != nil {
		t.Fatal(err)
	}
	records, sources, err := r.replayed(tools, "x.sam", hits, whole, 0)
	if err != nil {
		return faults{n: 1, some: []string{err.Error()}}
	}
	lines, err := tools.readPAF("x.paf")
	if err != nil {
		t.Fatal(err)
	}
	r.replayPAF("x.paf", lines, records.Records, sources)
	return r.faults
}

func TestReplay(t *testing.T) {
	if f := testFaults(t, testHit, testSAM, testPAF, true); f.n > 0 {
		t.Fatal(f.some)
	}
	narrow := strings.Replace(testHit, "\t1\t12\t", "\t1\t13\t", 1)
	if f := testFaults(t, narrow, testSAM, testPAF, false); f.n > 0 {
		t.Fatal("an alignment within its hit:", f.some)
	}
	if f := testFaults(t, narrow, testSAM, testPAF, true); f.n != 2 {
		t.Error("an alignment of a part of its hit has faults", f.some)
	}
	if f := testFaults(t, strings.Replace(testHit, "\t2\t12\t", "\t3\t12\t", 1), testSAM, testPAF, false); f.n != 2 {
		t.Error("an alignment beyond its hit has faults", f.some)
	}
	for _, c := range [][2]string{
		{"\t16\t", "\t0\t"}, {"\t16\t", "\t272\t"}, {"r\t16", "q\t16"}, {"\t3\t7\t", "\t2\t7\t"}, {"\t3\t7\t", "\t3\t8\t"},
		{"2S5=1X4=1I1S", "2S10=1I1S"}, {"2S5=1X4=1I1S", "1S5=1X4=1I2S"}, {"5=1X4=1I1S", "5=1X3=1I1=1S"},
		{"NM:i:2", "NM:i:1"}, {"AS:i:8", "AS:i:9"}, {"5T4", "5A4"}, {"5T4", "4T5"}, {"AACCGGTAACGTCA", "AACCGGTAACGTCC"},
	} {
		if bad := strings.Replace(testSAM, c[0], c[1], 1); bad == testSAM {
			t.Fatalf("%q is not in the record", c[0])
		} else if f := testFaults(t, testHit, bad, testPAF, true); f.n == 0 {
			t.Errorf("%s in place of %s is no fault", c[1], c[0])
		}
	}
	for _, c := range [][2]string{
		{"\t1\t12\t", "\t2\t12\t"}, {"\t-\t", "\t+\t"}, {"\t2\t12\t", "\t2\t13\t"}, {"\t9\t11\t", "\t8\t11\t"}, {"NM:i:2", "NM:i:3"},
		{"cg:Z:5=1X4=1I", "cg:Z:5=1X3=1I1="}, {"cg:Z:5=1X4=1I", "cg:Z:10M1I"}, {"AS:i:8", "AS:i:7"}, {"*ta", "*tc"}, {"0.1818", "0.1820"},
	} {
		if bad := strings.Replace(testPAF, c[0], c[1], 1); bad == testPAF {
			t.Fatalf("%q is not in the line", c[0])
		} else if f := testFaults(t, testHit, testSAM, bad, true); f.n == 0 {
			t.Errorf("%s in place of %s is no fault", c[1], c[0])
		}
	}
}

func TestCalmd(t *testing.T) {
	if _, err := exec.LookPath("samtools"); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		from, to string
		faults   int
	}{{"", "", 0}, {"NM:i:2", "NM:i:3", 1}, {"MD:Z:5T4", "MD:Z:10", 1}, {"\tMD:Z:5T4", "", 1}, {"NM:i:2", "NM:i:10", 1}} {
		w := &tools{dir: t.TempDir()}
		for name, text := range map[string]string{"x.sam": strings.Replace(testSAM, c.from, c.to, 1), "s.fa": ">s\n" + testReference + "\n"} {
			if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var f faults
		n, err := w.calmd(t.Context(), "x.sam", "s.fa", &f)
		if err != nil || n != 1 || f.n != c.faults {
			t.Errorf("%s in place of %s: %d records, %v, faults %q", c.to, c.from, n, err, f.some)
		}
	}
}

// A record of minimap2 becomes an alignment with the place and the score that it has.
func TestFromFormats(t *testing.T) {
	s := &sample{number: map[string]int{"r": 0}, reads: []read{{"r", testRead, ""}}, genome: map[string]string{"s": testReference}}
	sam, err := formattest.ParseSAM(testSAM)
	if err != nil {
		t.Fatal(err)
	}
	line, err := formattest.ParsePAF(strings.TrimSpace(testPAF))
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.fromSAM(sam.Records[0])
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.fromPAF(line)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []*alignment{a, b} {
		if n, plain := a.score(noisy); a.q != 2 || a.t != 2 || n != 18-4-6 || !plain || !a.reverse {
			t.Errorf("%+v has the score %d", a, n)
		}
	}
	line.TargetEnd++
	if _, err := s.fromPAF(line); err == nil {
		t.Error("a line is longer than its CIGAR")
	}
	sam.Records[0].CIGAR = "2S5=1X4=1I2S"
	if _, err := s.fromSAM(sam.Records[0]); err == nil {
		t.Error("a CIGAR is longer than its read")
	}
}
