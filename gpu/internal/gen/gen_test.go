package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestHeadersAreGenerated fails when a structure, a constant or a shape has
// changed on one side alone: in Go, or in the CUDA header.
func TestHeadersAreGenerated(t *testing.T) {
	const root = "../../.."
	files, err := headers(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Fatalf("%d headers are generated, want 2", len(files))
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
