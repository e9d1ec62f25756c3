package main

import (
	"bytes"
	"fmt"
	"strings"

	"wfagpu/gpu/internal/kernel"
)

const variantsOpening = `// The kernels with wavefronts in registers. Generated from the tables of shapes in
// gpu/internal/kernel by gpu/internal/gen; do not edit.
// clang-format off
`

// columns are the arguments of the macros in cuda/wfagpu.cu, after the
// penalties x, o, e.
var columns = map[string]string{
	"warp":          "threads a pair, words a thread, words between branches, bases of a look-ahead entry, warps a block, blocks an SM",
	"block":         "warps a block, strides a warp, words a stride, bases of a look-ahead entry, blocks an SM",
	"adaptive_warp": "words a thread, words between branches, look-ahead table",
}

// variantsHeader instantiates the templates, and asserts what Go computes as
// they do.
func variantsHeader() []byte {
	var h bytes.Buffer
	h.WriteString(variantsOpening)
	family, penalties := "", ""
	for _, v := range kernel.Variants() {
		p := v.Penalties
		if s := fmt.Sprintf("%d, %d, %d", p.Mismatch, p.GapOpen, p.GapExtend); s != penalties {
			penalties = s
			fmt.Fprintf(&h, "\nstatic_assert(Penalties<%s>::unroll == %d, \"\");\n", s, kernel.Unroll(p))
		}
		if v.Family.Name != family {
			family = v.Family.Name
			fmt.Fprintf(&h, "\n// %s: %s\n", family, columns[family])
		}
		fmt.Fprintf(&h, "WFA_%s(%s, %s)\n", strings.ToUpper(family), penalties, v.Arguments)
	}
	return h.Bytes()
}
