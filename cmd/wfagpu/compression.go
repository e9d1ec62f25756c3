package main

import (
	"path/filepath"
	"strings"
)

// checkCompression refuses the name of an output that promises a compression that is
// not available: the file would hold plain text.
func checkCompression(flag, path string) error {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".zstd", ".xz", ".bz2", ".lz4", ".zip":
		return withHint(usagef("%s %s: compression %s is not available", flag, path, ext),
			"names in .gz, .bgz and .zst are compressed; or pipe the output through another program")
	}
	return nil
}

// checkLogName refuses a log that is to be compressed: text is appended to it.
func checkLogName(path string) error {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".gz", ".bgz", ".zst":
		return usagef("--log-file %s: a log is plain text, not %s", path, ext)
	}
	return checkCompression("--log-file", path)
}
