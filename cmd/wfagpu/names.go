package main

import (
	"errors"

	seqio "wfagpu/io"
)

// parseNameCheck reads --check-names.
func parseNameCheck(s string) (seqio.NameCheck, error) {
	switch s {
	case "notice":
		return seqio.NamesNoted, nil
	case "error":
		return seqio.NamesEqual, nil
	case "off":
		return seqio.NamesIgnored, nil
	}
	return 0, errors.New("want notice, error or off")
}

// noteInput says what is odd in the input and no error.
func (c *console) noteInput(note error) {
	if _, ok := errors.AsType[*seqio.NameError](note); ok {
		c.notice("%v; later pairs are not compared (--check-names error stops here, off says nothing)", note)
		return
	}
	c.notice("%v", note)
}
