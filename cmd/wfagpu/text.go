package main

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable escapes what a terminal would act on: control characters and bytes
// that are not UTF-8, which names of files may hold.
func printable(text string) string {
	clean := true
	for _, r := range text {
		clean = clean && unicode.IsPrint(r) && r != utf8.RuneError
	}
	if clean {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1, r < utf8.RuneSelf && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		text = text[n:]
	}
	return b.String()
}

// errorText is an error in one line. Errors that are joined are separated by
// semicolons.
func errorText(err error) string {
	if hinted, ok := err.(*hintedError); ok {
		return errorText(hinted.err)
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok && err.Error() == errors.Join(joined.Unwrap()...).Error() {
		var texts []string
		for _, e := range joined.Unwrap() {
			texts = append(texts, errorText(e))
		}
		return strings.Join(texts, "; ")
	}
	return printable(err.Error())
}
