package published

import _ "embed"

// EditHardware is what the paper of eWFA-GPU (Aguado-Puig et al., IEEE Access 10, 2022) measured
// on.
const EditHardware = "IBM Power9 (20 cores, 80 threads), NVIDIA V100 (16 GB)"

// EditAlignments is the number of pairs in each of its sets.
const EditAlignments = 10_000_000

// EditTiers are the largest distances of its kernels E32, E64 and E128.
var EditTiers = []int{32, 64, 128}

//go:embed ewfa.tsv
var ewfa string

// EditFactor is how many times as fast as a peer eWFA-GPU is, on sets of 150, 300 and 1000 bases
// with 2, 5 and 10 % errors. The numbers are as in the paper's text; Least is empty where it names
// the largest alone.
type EditFactor struct{ Device, Peer, Least, Most string }

// EditFactors returns the factors in the order of the paper's Table 1.
func EditFactors() ([]EditFactor, error) {
	var factors []EditFactor
	err := eachRow("ewfa.tsv", ewfa, 4, func(f []string) error {
		factors = append(factors, EditFactor{f[0], f[1], f[2], f[3]})
		return nil
	})
	return factors, err
}
