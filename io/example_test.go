package seqio_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"wfagpu/align"
	"wfagpu/cigar"
	seqio "wfagpu/io"
)

// Example reads pairs and writes a result for each, as the command does; the
// engine that aligns them is left out.
func Example() {
	pairs := ">ACGT\n<ACGT\n>ACGT\n<AGT\n"
	in, err := seqio.Open(seqio.Inputs{Pairs: []string{"-"}}, strings.NewReader(pairs), seqio.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer in.Close()
	out, err := seqio.Create("-", os.Stdout)
	if err != nil {
		fmt.Println(err)
		return
	}
	var b align.Batch
	var text []byte
	for {
		err := in.ReadBatch(&b)
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		b.PrepareResults()
		for i, p := range b.Pairs {
			b.Results[i].CIGAR = b.Results[i].CIGAR.Append(cigar.Del, len(p.Text)).Append(cigar.Ins, len(p.Pattern))
			b.Results[i].Score = 3 + len(p.Text) + 3 + len(p.Pattern)
		}
		text = seqio.AppendTSV(text[:0], &b, seqio.TSVOptions{})
		if _, err := out.Write(text); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := out.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1	1	14	4D4I
	// 2	2	13	3D4I
}
