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

// imageParts returns the parts of an image, of which the driver reads one at a time: fatbins, one behind another, or
// all of it. An invalid or a truncated image is an error: the driver reads as many bytes as the image's header says,
// even past its end.
func imageParts(image []byte) (parts [][]byte, err error) {
	le := binary.LittleEndian
	size := uint64(len(image))
	switch {
	case isFatbin(image):
		for rest := image; isFatbin(rest); {
			header, body, remaining := uint64(le.Uint16(rest[6:])), le.Uint64(rest[8:]), uint64(len(rest))
			if header < fatbinHeader || header > remaining || body > remaining-header {
				return nil, errTruncated
			}
			parts = append(parts, rest[:header+body])
			rest = rest[header+body:]
		}
		return parts, nil
	case size >= elfHeader && string(image[:4]) == elfMagic:
		// The section header table ends the file.
		start, entry, n := le.Uint64(image[40:]), uint64(le.Uint16(image[58:])), uint64(le.Uint16(image[60:]))
		if start > size || entry*n > size-start {
			return nil, errTruncated
		}
	case !bytes.Contains(image, []byte(".version")) || isBinary(image):
		return nil, errors.New("the kernel image is neither fatbin nor cubin nor PTX")
	}
	return [][]byte{image}, nil
}

// isFatbin reports whether an image begins with a fatbin.
func isFatbin(image []byte) bool {
	return len(image) >= fatbinHeader && binary.LittleEndian.Uint32(image) == fatbinMagic
}

// isBinary reports whether an image is not PTX, which is text.
func isBinary(image []byte) bool { return bytes.IndexByte(image, 0) >= 0 }
