// Package peers builds and runs drivers of the libraries that this program is
// compared with. A driver is a small program in C or C++. It reads a .seq file,
// times alignment alone, and writes the library's results. The common part is
// driver.h of package align/aligntest/wfa2.
//
// The sources are embedded, so that a built program can build the drivers on any
// machine with a compiler and the libraries.
package peers

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"

	"wfagpu/align/aligntest/wfa2"
)

//go:embed edlib/driver.c
var edlibSource string

//go:embed ksw2/driver.c
var ksw2Source string

//go:embed parasail/driver.c
var parasailSource string

//go:embed seqan/driver.cc
var seqanSource string

// A Peer is a library with a driver.
type Peer struct {
	Name     string // of the driver
	Family   string // the library's, which several peers may share
	Package  string // Debian's, that has the library
	Variants []Variant
	// MaxLength is the longest sequence it aligns, 0 for any: the matrix of a
	// pair of such length takes most of a gigabyte.
	MaxLength int
	// EditDistance is set for a library that minimizes edit distance.
	EditDistance bool

	source   string
	needs    string // a file of the library
	include  []string
	link     []string
	cplus    bool
	noStatic bool // there is no complete archive to link with
}

// A Variant is a way to run a library, and a row of a table.
type Variant struct {
	Title string
	Mode  string // the driver's -m
	// MinLength is the least mean length of texts for which the variant is
	// measured.
	MinLength int
}

// Packaged lists the peers that Debian packages.
func Packaged() []Peer {
	return []Peer{
		{
			Name: "seqan", Family: "SeqAn", Package: "libseqan2-dev", source: seqanSource, cplus: true, MaxLength: 30_000,
			needs:    "/usr/include/seqan/align.h",
			Variants: []Variant{{Title: "SeqAn"}},
		},
		{
			Name: "parasail", Family: "Parasail", Package: "libparasail-dev", source: parasailSource, MaxLength: 30_000,
			needs: "/usr/include/parasail.h", link: []string{"-lparasail", "-lm"}, noStatic: true,
			Variants: []Variant{
				{Title: "Parasail (striped)", Mode: "striped"},
				{Title: "Parasail (scan)", Mode: "scan"},
				{Title: "Parasail (diag)", Mode: "diag"},
			},
		},
		{
			Name: "edlib", Family: "Edlib", Package: "libedlib-dev", source: edlibSource, EditDistance: true,
			needs: "/usr/include/edlib.h", link: []string{"-ledlib", "-lstdc++", "-lm"},
			Variants: []Variant{{Title: "Edlib"}},
		},
		{
			Name: "ksw2", Family: "KSW2", Package: "libminimap2-dev", source: ksw2Source, MaxLength: 30_000,
			needs: "/usr/include/ksw2.h", link: []string{"-lminimap2", "-lz", "-lm", "-lpthread"},
			Variants: []Variant{{Title: "KSW2"}},
		},
		wfa2Peer("wfa2", "WFA2-lib", "/usr/include/wfa2lib", "-lwfa2"),
	}
}

// NativeWFA2 is WFA2-lib in a source tree in which `make` has run; tree may be empty
// for a driver that exists.
func NativeWFA2(tree string) Peer {
	return wfa2Peer("wfa2-native", "WFA2-lib -march=native", tree, filepath.Join(tree, "lib", "libwfa.a"))
}

func wfa2Peer(name, title, include, library string) Peer {
	return Peer{
		Name: name, Family: "WFA2-lib", Package: "libwfa2-dev", source: wfa2.Source,
		needs:   filepath.Join(include, "wavefront", "wavefront_align.h"),
		include: []string{"-I" + include}, link: []string{library, "-lm"},
		Variants: []Variant{
			{Title: title},
			// Often faster once wavefronts outgrow the cache.
			{Title: title + " (ultralow)", Mode: "ultralow", MinLength: 5000},
		},
	}
}

// Missing is an error that names the missing file and package of a peer, nil if it
// is installed.
func (p Peer) Missing() error {
	if _, err := os.Stat(p.needs); err != nil {
		return fmt.Errorf("no %s (Debian: %s)", p.needs, p.Package)
	}
	return nil
}
