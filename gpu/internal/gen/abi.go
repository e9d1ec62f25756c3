package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"strings"

	"wfagpu/gpu/internal/abi"
)

const abiOpening = `// Structures and constants that Go and the kernels share. Generated from
// gpu/internal/abi by gpu/internal/gen; do not edit.
// clang-format off
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// WFA_LAYOUT fails the build if the offset of a field differs from Go's.
#define WFA_LAYOUT(TYPE, FIELD, OFFSET) \
	static_assert(__builtin_offsetof(TYPE, FIELD) == OFFSET, #TYPE "::" #FIELD ": gpu/internal/abi")
`

// structures are the structures of the header, by name. The header has them in the
// order of the source file.
var structures = map[string]reflect.Type{
	"Task":   reflect.TypeFor[abi.Task](),
	"Result": reflect.TypeFor[abi.Result](),
	"Params": reflect.TypeFor[abi.Params](),
}

// cTypes are the C types of Go types. The C type of a pointer is its field's tag.
var cTypes = map[string]string{"int32": "int", "uint32": "u32", "uint64": "u64", "abi.Flags": "u32"}

// abiHeader translates the declarations of package abi, whose source file is
// path, to C.
func abiHeader(path string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	// Imports are not resolved; constants do not depend on them.
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Error: func(error) {}}
	conf.Check("abi", fset, []*ast.File{file}, info)

	h := &header{info: info}
	h.WriteString(abiOpening)
	done := map[string]bool{}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok {
			return nil, fmt.Errorf("%s: only declarations of types and constants are translated", fset.Position(decl.Pos()))
		}
		switch d.Tok {
		case token.TYPE:
			spec := d.Specs[0].(*ast.TypeSpec)
			fields, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue // Flags, an integer
			}
			t := structures[spec.Name.Name]
			if t == nil {
				return nil, fmt.Errorf("%s: structure %s is not in the generator's list", fset.Position(spec.Pos()), spec.Name)
			}
			done[spec.Name.Name] = true
			if err := h.structure(t, d.Doc, fields); err != nil {
				return nil, fmt.Errorf("%s: %w", fset.Position(spec.Pos()), err)
			}
		case token.CONST:
			h.constants(d)
		}
	}
	for name := range structures {
		if !done[name] {
			return nil, fmt.Errorf("%s: no structure %s", path, name)
		}
	}
	return h.Bytes(), nil
}

type header struct {
	bytes.Buffer
	info *types.Info
}

// structure writes a struct with its comments, and asserts its layout.
func (h *header) structure(t reflect.Type, doc *ast.CommentGroup, fields *ast.StructType) error {
	h.WriteByte('\n')
	h.comment("", doc)
	fmt.Fprintf(h, "struct %s {\n", t.Name())
	for i, field := range fields.Fields.List {
		if i > 0 && field.Doc != nil {
			h.WriteByte('\n')
		}
		h.comment("\t", field.Doc)
		f, _ := t.FieldByName(field.Names[0].Name)
		of := f.Tag.Get("c")
		if of == "" {
			of = cTypes[f.Type.String()]
		}
		if of == "" {
			return fmt.Errorf("field %s: no C type for %s", f.Name, f.Type)
		}
		var names []string
		for _, name := range field.Names {
			names = append(names, cName(name.Name))
		}
		space := " "
		if strings.HasSuffix(of, "*") {
			space = ""
		}
		fmt.Fprintf(h, "\t%s%s%s;", of, space, strings.Join(names, ", "))
		if field.Comment != nil {
			fmt.Fprintf(h, " // %s", cText(field.Comment.Text()))
		}
		h.WriteByte('\n')
	}
	h.WriteString("};\n")
	fmt.Fprintf(h, "static_assert(sizeof(%s) == %d, \"gpu/internal/abi\");\n", t.Name(), t.Size())
	for i := range t.NumField() {
		f := t.Field(i)
		fmt.Fprintf(h, "WFA_LAYOUT(%s, %s, %d);\n", t.Name(), cName(f.Name), f.Offset)
	}
	return nil
}

// constants writes a group of constants, typed ones as an enumeration.
func (h *header) constants(d *ast.GenDecl) {
	h.WriteByte('\n')
	if d.Lparen == token.NoPos {
		h.comment("", d.Doc)
	}
	for _, s := range d.Specs {
		spec := s.(*ast.ValueSpec)
		c := h.info.Defs[spec.Names[0]].(*types.Const)
		of := "int"
		if _, named := c.Type().(*types.Named); named {
			of = "u32"
		}
		h.comment("", spec.Doc)
		fmt.Fprintf(h, "static constexpr %s %s = %s;", of, cName(c.Name()), c.Val().ExactString())
		if spec.Comment != nil {
			fmt.Fprintf(h, " // %s", cText(spec.Comment.Text()))
		}
		h.WriteByte('\n')
	}
}

func (h *header) comment(indent string, c *ast.CommentGroup) {
	if c == nil {
		return
	}
	for line := range strings.Lines(c.Text()) {
		fmt.Fprintf(h, "%s// %s\n", indent, cText(line))
	}
}

// cName is the C name of a Go field or constant.
func cName(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// goNames matches Go names in comments that are not ordinary words.
var goNames = regexp.MustCompile(`\b(Params|Result)\.[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w+|\bUnreached\b`)

// cText returns a line of a comment with the C names of Go names.
func cText(line string) string {
	return strings.TrimSpace(goNames.ReplaceAllStringFunc(line, func(name string) string {
		if of, field, ok := strings.Cut(name, "."); ok {
			return of + "::" + cName(field)
		}
		return cName(name)
	}))
}
