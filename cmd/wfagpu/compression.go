package main

import (
	"path/filepath"
	"strings"
)

// checkCompression refuses the name of an output that promises a compression other
// than gzip: the file would hold plain text.
func checkCompression(flag, path string) error {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".zst", ".zstd", ".xz", ".bz2", ".lz4", ".bgz", ".zip":
		return withHint(usagef("%s %s: compression %s is not available", flag, path, ext),
			"a name in .gz is compressed with gzip; or pipe the output through another program")
	}
	return nil
}
