package cigar_test

import (
	"fmt"

	"wfagpu/cigar"
)

func Example() {
	c, err := cigar.Parse("3=1X2=1I3=")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("consumes", c.QueryLen(), "query and", c.TargetLen(), "target letters")

	score, err := c.Score(2, 3, 1)
	fmt.Println("score", score, err)

	fmt.Println(c.Verify([]byte("ACGTACGTAC"), []byte("ACGAACTAC")))
	fmt.Println(string(c.AppendText(nil, cigar.Classic)))
	// Output:
	// consumes 10 query and 9 target letters
	// score 6 <nil>
	// <nil>
	// 6M1I3M
}

func ExampleCIGAR_Append() {
	var c cigar.CIGAR
	c = c.Append(cigar.Match, 10)
	c = c.Append(cigar.Match, 2) // lengthens the run
	c = c.Append(cigar.Del, 1)
	fmt.Println(c)
	// Output: 12=1D
}
