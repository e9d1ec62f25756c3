package driver

import (
	"bytes"
	"encoding/binary"
	"errors"
)

const (
	fatbinMagic  = 0xba55ed50
	fatbinHeader = 16 // magic, version and header size of 16 bits, size of 64 bits
	elfMagic     = "\x7fELF"
	elfHeader    = 64
)

var errTruncated = errors.New("the kernel image is truncated")

// checkImage returns an error for an invalid or a truncated image: the driver reads
// as many bytes as the image's header says, even past its end.
func checkImage(image []byte) error {
	le := binary.LittleEndian
	size := uint64(len(image))
	switch {
	case size >= fatbinHeader && le.Uint32(image) == fatbinMagic:
		// A file may hold several, one after another.
		for rest := image; len(rest) >= fatbinHeader && le.Uint32(rest) == fatbinMagic; {
			body, remaining := le.Uint64(rest[8:]), uint64(len(rest))
			header := uint64(le.Uint16(rest[6:]))
			if header < fatbinHeader || header > remaining || body > remaining-header {
				return errTruncated
			}
			rest = rest[header+body:]
		}
		return nil
	case size >= elfHeader && string(image[:4]) == elfMagic:
		// The section header table ends the file.
		start, entry, n := le.Uint64(image[40:]), uint64(le.Uint16(image[58:])), uint64(le.Uint16(image[60:]))
		if start > size || entry*n > size-start {
			return errTruncated
		}
		return nil
	case bytes.Contains(image, []byte(".version")) && !isBinary(image):
		return nil
	}
	return errors.New("the kernel image is neither fatbin nor cubin nor PTX")
}

// isBinary reports whether an image is not PTX, which is text.
func isBinary(image []byte) bool { return bytes.IndexByte(image, 0) >= 0 }
