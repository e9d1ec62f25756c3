package hybrid

import "strings"

// Faults are the reasons why GPUs are not used: one for each GPU, or one for all
// of them.
type Faults []error

// Error joins the distinct reasons: a fault of the driver or of the kernels is the
// same for every GPU.
func (f Faults) Error() string {
	var texts []string
	seen := map[string]bool{}
	for _, err := range f {
		// An error of Close joins several, one a line.
		for text := range strings.SplitSeq(err.Error(), "\n") {
			if !seen[text] {
				seen[text] = true
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the reasons, for errors.Is and errors.As.
func (f Faults) Unwrap() []error { return f }
