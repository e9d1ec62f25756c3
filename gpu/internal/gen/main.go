// Command gen writes the CUDA headers that follow from Go: abi.cuh from package
// abi, and variants-*.cuh from the tables of shapes in package kernel.
//
//	go run ./gpu/internal/gen .
//
// The argument is the root of the module.
package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen ROOT")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// headers returns the generated files by their path below root.
func headers(root string) (map[string][]byte, error) {
	structures, err := abiHeader(filepath.Join(root, "gpu/internal/abi/abi.go"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"cuda/abi.cuh": structures}
	for part := range parts {
		files["cuda/variants-"+part+".cuh"] = variantsHeader(part)
	}
	return files, nil
}

func write(root string) error {
	files, err := headers(root)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		errs = append(errs, os.WriteFile(filepath.Join(root, name), files[name], 0o666))
	}
	return errors.Join(errs...)
}
