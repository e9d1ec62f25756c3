package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"path/filepath"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pkg is package align as amd64 compiles it, without the generated files. Its declarations
// are the source of every offset and constant that Go and the assembly share.
var pkg = parsePackage("..")

var sizes = types.SizesFor("gc", "amd64")

func parsePackage(dir string) *types.Package {
	ctx := build.Default
	ctx.GOARCH = "amd64"
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		log.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, f := range all {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		if ok, err := ctx.MatchFile(dir, filepath.Base(f)); err != nil || !ok {
			continue
		}
		file, err := parser.ParseFile(set, f, nil, parser.ParseComments)
		if err != nil {
			log.Fatal(err)
		}
		if !ast.IsGenerated(file) {
			files = append(files, file)
		}
	}
	// What the package imports, and the stubs yet to be generated, is unknown here. The
	// structs and constants of the assembly do not depend on it.
	conf := types.Config{Importer: onlyUnsafe{}, Error: func(error) {}, Sizes: types.SizesFor("gc", "amd64")}
	p, _ := conf.Check("align", set, files, nil)
	return p
}

// onlyUnsafe imports package unsafe alone.
type onlyUnsafe struct{}

func (onlyUnsafe) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return importer.Default().Import(path)
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}

// goConst returns the value of a constant of package align.
func goConst(name string) int {
	c, ok := pkg.Scope().Lookup(name).(*types.Const)
	if !ok {
		log.Fatalf("package align has no constant %s", name)
	}
	v, exact := constant.Int64Val(constant.ToInt(c.Val()))
	if !exact {
		log.Fatalf("constant %s is not an integer", name)
	}
	return int(v)
}

// goString returns the value of a string constant of package align.
func goString(name string) string {
	c, ok := pkg.Scope().Lookup(name).(*types.Const)
	if !ok || c.Val().Kind() != constant.String {
		log.Fatalf("package align has no string constant %s", name)
	}
	return constant.StringVal(c.Val())
}

// goStruct is the layout of a struct of package align.
type goStruct struct {
	name    string
	size    int
	fields  []string // in order
	offsets map[string]int
}

func structOf(name string) goStruct {
	s := goStruct{name: name, offsets: map[string]int{}}
	obj := pkg.Scope().Lookup(name)
	if obj == nil {
		log.Fatalf("package align has no type %s", name)
	}
	t, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		log.Fatalf("align.%s is not a struct", name)
	}
	s.size = int(sizes.Sizeof(t))
	var vars []*types.Var
	for i := range t.NumFields() {
		vars = append(vars, t.Field(i))
	}
	for i, offset := range sizes.Offsetsof(vars) {
		s.fields = append(s.fields, vars[i].Name())
		s.offsets[vars[i].Name()] = int(offset)
	}
	return s
}

// at gives a field of the struct at base.
func (s goStruct) at(base reg.Register, field string) Mem {
	offset, ok := s.offsets[field]
	if !ok {
		log.Fatalf("align.%s has no field %s", s.name, field)
	}
	return Mem{Base: base, Disp: offset}
}

// The arguments of the routines, and constants of package align.
var (
	computeArgs  = structOf("computeArgs")
	frontArgs    = structOf("frontArgs")
	narrowArgs   = structOf("narrowArgs")
	adaptiveArgs = structOf("adaptiveArgs")
	bandArgs     = structOf("bandArgs")
	fenceArgs    = structOf("fenceArgs")
	fenceOf      = structOf("fence")
	fenceEventOf = structOf("fenceEvent")
	fenceSideOf  = structOf("fenceSide")
	byteArgs     = structOf("byteArgs")
	editArgs     = structOf("editArgs")

	editNarrowArgs = structOf("editNarrowArgs")
	sweepArgs      = structOf("sweepArgs")
	lanesArgs      = structOf("lanesArgs")
	seedArgs       = structOf("seedArgs")
	seedBlock      = structOf("seedBlock")
	bundleArgs     = structOf("bundleArgs")
	bundleWideArgs = structOf("bundleWideArgs")

	null        = goConst("null")
	bandInf     = goConst("bandInf")
	avx512Lanes = goConst("avx512Lanes") // of 32 bits
	avx2Lanes   = goConst("avx2Lanes")
)
