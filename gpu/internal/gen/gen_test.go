package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"wfagpu/gpu/internal/kernel"
)

// TestHeadersAreGenerated fails when a structure, a constant or a shape has
// changed on one side alone: in Go, or in the CUDA header.
func TestHeadersAreGenerated(t *testing.T) {
	const root = "../../.."
	files, err := headers(root)
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + len(parts); len(files) != want {
		t.Fatalf("%d headers are generated, want %d", len(files), want)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: go generate ./gpu", name)
		}
	}
}

// Each part of the image has a source, and each family with shapes is in one part.
func TestParts(t *testing.T) {
	in := map[string]int{}
	for part, families := range parts {
		if _, err := os.Stat("../../../cuda/part-" + part + ".cu"); err != nil {
			t.Error(err)
		}
		for _, family := range families {
			in[family]++
		}
	}
	for _, v := range kernel.Variants() {
		if in[v.Family.Name] != 1 {
			t.Fatalf("%s is in %d parts", v.Family.Name, in[v.Family.Name])
		}
	}
}
