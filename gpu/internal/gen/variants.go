package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"wfagpu/align"
	"wfagpu/gpu/internal/kernel"
)

const variantsOpening = `// The kernels with compiled shapes. Generated from the tables of shapes in
// gpu/internal/kernel by gpu/internal/gen; do not edit.
// clang-format off
`

// columns are the arguments of the macros in cuda/instances.cuh, after the
// penalties x, o, e.
var columns = map[string]string{
	"warp":           "threads per pair, words per thread, words between branches, look-ahead table, warps per block, blocks per SM",
	"block":          "warps per block, strides per warp, words per stride, look-ahead table, blocks per SM, what is stored",
	"long":           "warps per block, strides per warp, words per stride, blocks per SM",
	"warp_free":      "as warp",
	"block_free":     "as block",
	"long_free":      "as long",
	"tiles":          "warps per block, diagonals per thread, blocks per SM",
	"adaptive_warp":  "words per thread, words between branches, look-ahead table",
	"adaptive_long":  "words per thread, words between branches",
	"adaptive_rings": "as adaptive_long",
	"edit":           "threads per pair, words, columns per turn, blocks per SM; edit_block: words, largest number of warps, the same",
	"gotoh":          "name, threads per pair or warp, columns, largest number of warps, steps per turn, blocks per SM",
	"gotoh_free":     "as gotoh",
	"span":           "gaps, ends, threads per pair, columns, steps per turn, blocks per SM, forms",
}

// parts are the parts of the kernel image, cuda/part-<name>.cu, with the families that each has.
var parts = map[string][]string{
	"waves":    {"warp", "block", "long", "tiles"},
	"free":     {"warp_free", "block_free", "long_free"},
	"bands":    {"edit", "gotoh"},
	"adaptive": {"adaptive_warp", "adaptive_long", "adaptive_rings"},
	"spans":    {"gotoh_free", "span"},
}

// retraces are the macros of the tracebacks from checkpoints, by part.
var retraces = map[string]string{"waves": "RETRACE", "free": "RETRACE_FREE"}

// variantsHeader returns the header that instantiates the templates of a part. It asserts the
// values that Go and the templates both compute.
func variantsHeader(part string) []byte {
	var h bytes.Buffer
	h.WriteString(variantsOpening)
	family, penalties := "", ""
	for _, v := range kernel.Variants() {
		if !slices.Contains(parts[part], v.Family.Name) {
			continue
		}
		arguments := v.Arguments
		if p := v.Penalties; p != (align.Penalties{}) {
			s := fmt.Sprintf("%d, %d, %d", p.Mismatch, p.GapOpen, p.GapExtend)
			if s != penalties {
				penalties = s
				fmt.Fprintf(&h, "\nstatic_assert(Penalties<%s>::unroll == %d, \"\");\n", s, kernel.Unroll(p))
				if retrace := retraces[part]; retrace != "" {
					fmt.Fprintf(&h, "WFA_%s(%s)\n", retrace, s)
				}
			}
			arguments = s + ", " + arguments
		}
		if v.Family.Name != family {
			family = v.Family.Name
			fmt.Fprintf(&h, "\n// %s: %s\n", family, columns[family])
		}
		macro := v.Macro
		if macro == "" {
			macro = strings.ToUpper(family)
		}
		fmt.Fprintf(&h, "WFA_%s(%s)\n", macro, arguments)
	}
	return h.Bytes()
}
