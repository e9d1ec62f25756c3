//go:build linux && (amd64 || arm64)

package emu

import (
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"path/filepath"
)

// line returns the source line of an instruction of the shared object, for messages;
// empty if unknown.
func (k *Kernels) line(address uint64) string {
	if address == 0 {
		return ""
	}
	unknown := fmt.Sprintf(", instruction %#x of %s", address, k.path)
	f, err := elf.Open(k.path)
	if err != nil {
		return unknown
	}
	defer f.Close()
	d, err := f.DWARF()
	if err != nil {
		return unknown
	}
	for r := d.Reader(); ; {
		unit, err := r.Next()
		if err != nil || unit == nil {
			return unknown
		}
		r.SkipChildren()
		lines, err := d.LineReader(unit)
		if err != nil || lines == nil {
			continue
		}
		var entry dwarf.LineEntry
		if err := lines.SeekPC(address, &entry); err == nil && entry.File != nil {
			return fmt.Sprintf(", at %s:%d", filepath.Base(entry.File.Name), entry.Line)
		}
	}
}
