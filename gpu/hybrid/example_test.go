package hybrid_test

import (
	"context"
	"fmt"
	"log"

	"wfagpu/align"
	"wfagpu/gpu/hybrid"
)

// An engine with default options uses every GPU. This one is for the CPU alone.
func Example() {
	ctx := context.Background()
	engine, err := hybrid.Open(ctx, hybrid.Options{Devices: hybrid.CPUOnly})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	b := &align.Batch{Pairs: []align.Pair{
		{Pattern: []byte("ACGTACGT"), Text: []byte("ACGTACGT")},
		{Pattern: []byte("GATTACA"), Text: []byte("GACTACA")},
		{Pattern: []byte("ACGTACGTAC"), Text: []byte("ACGTAAC")},
	}}
	if err := engine.AlignBatch(ctx, b); err != nil {
		log.Fatal(err)
	}
	for _, r := range b.Results {
		fmt.Println(r.Score, r.CIGAR, r.Err)
	}
	fmt.Println(engine.Stats().CPU.Pairs, "pairs on the CPU")
	// Output:
	// 0 8= <nil>
	// 2 2=1X4= <nil>
	// 6 5=3I2= <nil>
	// 3 pairs on the CPU
}
