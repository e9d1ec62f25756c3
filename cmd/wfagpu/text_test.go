package main

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain, Ä and 字":   "plain, Ä and 字",
		"a\tb\r\n\x00\x7f": `a\x09b\x0d\x0a\x00\x7f`,
		"\x1b[31mred":      `\x1b[31mred`,
		"\xff\xc3":         `\xff\xc3`,
		"\u202egnp\u0085":  `\u202egnp\u0085`,
		"\ufffd":           "\ufffd",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// One error is one line, even of several that are joined.
func TestErrorText(t *testing.T) {
	err := withHint(errors.Join(errors.New("first\x1b"), errors.Join(errors.New("second"), usagef("third"))), "hint")
	var out bytes.Buffer
	reportError(&out, err)
	if got, want := out.String(), "wfagpu: error: first\\x1b; second; third\nwfagpu: hint: hint\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A name that is close to a command's suggests it.
func TestSuggestions(t *testing.T) {
	for _, args := range [][]string{{"algin"}, {"help", "algin"}, {"help", "aling"}} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), args, streams{strings.NewReader(""), &stdout, &stderr})
		if code != exitUsage || stdout.Len() > 0 || !strings.Contains(stderr.String(), "wfagpu: hint: did you mean 'wfagpu align'?\n") {
			t.Errorf("%v: exit code %d, %q, %q", args, code, &stdout, &stderr)
		}
	}
}

func TestHelpCommand(t *testing.T) {
	want := wfagpu(t, "align", "--help")
	if got := wfagpu(t, "help", "align"); got != want {
		t.Errorf("help align prints\n%s", got)
	}
	if got, want := wfagpu(t, "help"), wfagpu(t, "--help"); got != want {
		t.Errorf("help prints\n%s", got)
	}
}

// A log file that cannot be written is reported once. The results are written, and the
// exit code tells.
func TestFullLogFile(t *testing.T) {
	const device = "/dev/full"
	if _, err := os.Stat(device); err != nil {
		t.Skip("this system has no /dev/full")
	}
	for _, quiet := range []bool{false, true} {
		got := runOn(t, noGPUs, pair, "align", "--log-file", device, "--quiet="+map[bool]string{true: "true", false: "false"}[quiet])
		const message = "wfagpu: error: --log-file: write /dev/full: no space left on device\n"
		if got.code != exitFailed || got.stdout != pairLine || strings.Count(got.stderr, "--log-file") != 1 || !strings.Contains(got.stderr, message) {
			t.Errorf("quiet %v: %+v", quiet, got)
		}
	}
}
