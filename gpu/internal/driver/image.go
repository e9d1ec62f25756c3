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
	case isFatbin(image):
		for rest := image; isFatbin(rest); {
			header, body := fatbinSizes(rest)
			if remaining := uint64(len(rest)); header < fatbinHeader || header > remaining || body > remaining-header {
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

// isFatbin reports whether an image begins with a fatbin.
func isFatbin(image []byte) bool {
	return len(image) >= fatbinHeader && binary.LittleEndian.Uint32(image) == fatbinMagic
}

// fatbinSizes returns the sizes of the header of a fatbin and of what follows it, in bytes.
func fatbinSizes(image []byte) (header, body uint64) {
	return uint64(binary.LittleEndian.Uint16(image[6:])), binary.LittleEndian.Uint64(image[8:])
}

// imageParts returns the parts of an image that checkImage accepts: fatbins, of which the driver reads one at
// a time, or all of it.
func imageParts(image []byte) (parts [][]byte) {
	if !isFatbin(image) {
		return [][]byte{image}
	}
	for isFatbin(image) {
		header, body := fatbinSizes(image)
		parts = append(parts, image[:header+body:header+body])
		image = image[header+body:]
	}
	return parts
}

// isBinary reports whether an image is not PTX, which is text.
func isBinary(image []byte) bool { return bytes.IndexByte(image, 0) >= 0 }
