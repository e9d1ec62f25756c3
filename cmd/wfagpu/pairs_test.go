package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestPairs: the command writes what align reads.
func TestPairs(t *testing.T) {
	files := map[string]string{
		"q": ">a x\nAC\nGT\n>b/1\nnN\n", "t": ">b/2\nGG\n>a\nACGA\n", "i": "@a\nACGT\n+\nIIII\n@a\nACGA\n+\nIIII\n",
		"p.seq": ">AC\tr1\n<CG\n", "odd": ">a>b\nA\n", "cut": ">a\nA\n>b\nA1\n",
		"h.paf": "a\t4\t1\t3\t-\ta\t4\t0\t2\t2\t2\t60\n", "t.fai": "b/2\t2\t5\t2\t3\na\t4\t11\t4\t5\n",
	}
	for _, tc := range []badRun{
		{name: "in step", args: []string{"pairs", "--quiet", "-q", "q", "-t", "t"}, stdout: ">ACGT\n<GG\n>nN\n<ACGA\n"},
		{name: "by name", args: []string{"pairs", "--names", "--pair-by", "name", "-q", "q", "-t", "t"}, stdout: ">ACGT\ta\n<ACGA\ta\n",
			stderr: `1 of 2 queries without a target: the first is q:4: record 2: there is no target of the name "b/1"`},
		{name: "in turn", args: []string{"pairs", "--names", "--interleaved", "i"}, stdout: ">ACGT\ta\n<ACGA\ta\n"},
		{name: "several", args: []string{"pairs", "--names", "p.seq", "p.seq"}, stdout: ">AC\tr1\n<CG\n>AC\tr1\n<CG\n"},
		{name: "hits", args: []string{"pairs", "--names", "-p", "h.paf", "-q", "q", "-t", "t"}, stdout: ">CG\ta\n<AC\ta\n"},
		{name: "a list with commas", args: []string{"pairs", "--interleaved", "-q", "i,i"}, stdout: ">ACGT\n<ACGA\n>ACGT\n<ACGA\n"},
		{name: "a name that has a mark", args: []string{"pairs", "--names", "-q", "odd", "-t", "odd"}, code: 3, stderr: "pair 1: the name \"a>b\" has a '>'"},
		{name: "a fault", args: []string{"pairs", "-q", "cut", "-t", "cut"}, code: 3, stderr: "cut:4: record 2: sequence line position 2", stdout: ">A\n<A\n"},
		{name: "no such file", args: []string{"pairs", "-o", "out", "x.seq"}, code: 3, stderr: "open x.seq: no such file"},
		{name: "over the input", args: []string{"pairs", "-o", "p.seq", "p.seq"}, code: 2, stderr: "--output p.seq would overwrite an input file"},
		{name: "a full disk", args: []string{"pairs", "-o", "/dev/full", "p.seq"}, code: 1, stderr: "writing the output"},
	} {
		tc.files = files
		t.Run(tc.name, tc.try)
	}
}

// The script for whole reads keeps the first primary hit and widens it.
func TestWholeReads(t *testing.T) {
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip(err)
	}
	hits := strings.Join([]string{
		"r1\t100\t2\t97\t+\tc\t500\t10\t105\t90\t95\t60\ttp:A:P",
		"r1\t100\t2\t97\t+\tc\t500\t300\t395\t90\t95\t60\ttp:A:P",
		"r2\t100\t2\t97\t-\tc\t200\t1\t198\t90\t95\t60\tNM:i:1\ttp:A:P",
		"r3\t100\t0\t89\t+\tc\t500\t0\t90\t90\t95\t60\ttp:A:P",
		"r4\t49\t0\t49\t+\tc\t500\t0\t49\t49\t49\t60\ttp:A:P",
		"r5\t100\t0\t99\t+\tc\t500\t0\t90\t90\t95\t60\ttp:A:S",
	}, "\n") + "\n"
	want := "r1\t100\t0\t100\t+\tc\t500\t8\t108\t90\t95\t60\ttp:A:P\n" +
		"r2\t100\t0\t100\t-\tc\t200\t0\t200\t90\t95\t60\tNM:i:1\ttp:A:P\n"
	cmd := exec.Command("awk", "-f", "../../scripts/whole-reads.awk")
	cmd.Stdin = strings.NewReader(hits)
	got, err := cmd.CombinedOutput()
	if err != nil || string(got) != want {
		t.Errorf("%v,\n%swant\n%s", err, got, want)
	}
}
