package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wfagpu/align"
)

// manPages writes the pages of the program and returns its commands and their
// pages by name.
func manPages(t *testing.T) (dir string, root *cobra.Command, pages map[string]string) {
	t.Helper()
	dir = t.TempDir()
	root = newRootCmd(streams{}, defaultAlignOptions())
	if err := writeManPages(root, dir, time.Unix(0, 0).UTC()); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	pages = map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		pages[f.Name()] = string(text)
	}
	return dir, root, pages
}

func TestManFlags(t *testing.T) {
	_, root, pages := manPages(t)
	flags := 0
	for _, c := range append(root.Commands(), root) {
		if c.Hidden || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		page := pages[pageName(c)+".1"]
		if page == "" {
			t.Errorf("%s has no page", c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			flags++
			if !strings.Contains(page, `\fB--`+f.Name+`\fP`) {
				t.Errorf("the page of %s lacks --%s", c.CommandPath(), f.Name)
			}
			if f.Shorthand != "" && !strings.Contains(page, `\fB-`+f.Shorthand+`\fP`) {
				t.Errorf("the page of %s lacks -%s", c.CommandPath(), f.Shorthand)
			}
		})
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO"} {
			if !strings.Contains(page, "\n.SH "+section+"\n") {
				t.Errorf("the page of %s lacks the section %s", c.CommandPath(), section)
			}
		}
	}
	if flags < 30 {
		t.Errorf("%d flags are checked", flags)
	}
}

func TestManExitCodes(t *testing.T) {
	_, _, pages := manPages(t)
	for _, code := range []int{exitOK, exitFailed, exitUsage, exitInput, exitDevice, exitMismatch, 129, 130, exitPipe} {
		if !strings.Contains(pages["wfagpu-align.1"], fmt.Sprintf("\n.TP\n%d\n", code)) {
			t.Errorf("the page of wfagpu align lacks exit code %d", code)
		}
	}
}

// TestManStats looks for every field of --stats, at all depths.
func TestManStats(t *testing.T) {
	_, _, pages := manPages(t)
	_, section, _ := strings.Cut(pages["wfagpu-align.1"], "\n.SH STATISTICS\n")
	section, _, _ = strings.Cut(section, "\n.SH ")
	words := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.NewReplacer(`\fB`, " ", `\fP`, " ").Replace(section), func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z')
	}) {
		words[word] = true
	}
	fields := 0
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(typ.Elem())
		case reflect.Struct:
			for i := range typ.NumField() {
				name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
				fields++
				if !words[name] {
					t.Errorf("the section STATISTICS lacks %q of %v", name, typ)
				}
				walk(typ.Field(i).Type)
			}
		}
	}
	walk(reflect.TypeFor[report]())
	if fields < 40 {
		t.Errorf("%d fields are checked", fields)
	}
}

// TestManAutomaticBand holds the page to the automatic band and lambda of
// package align.
func TestManAutomaticBand(t *testing.T) {
	text, err := manSections.ReadFile("man/align.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	short, _ := align.Approx{}.First(512, 512)
	long, _ := align.Approx{}.First(2048, 2048)
	if w, _ := (align.Approx{}).First(2047, 2047); w != short {
		t.Errorf("pairs of 2,047 bases start with %+v", w)
	}
	costly := align.Approx{}.For(align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3})
	dear, _ := costly.First(16_384, 16_384)
	wanders, _ := align.Approx{}.For(align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}).First(16_384, 16_384)
	var wider []any
	for w, ok := (align.Approx{}).Wider(long); ok; w, ok = (align.Approx{}).Wider(w) {
		wider = append(wider, w.Band)
	}
	if _, ok := (align.Approx{}).First(511, 511); ok {
		t.Error("pairs of 511 bases are not aligned exactly")
	}
	if edit := (align.Approx{}).For(align.EditPenalties); !costly.Exactly(16_383) || !edit.Exactly(16_383) || edit.Exactly(16_384) {
		t.Error("pairs of 16,383 bases are not aligned exactly with edit distance and dear errors")
	}
	if half := (align.Approx{}).For(align.Penalties{Mismatch: 6, GapOpen: 4, GapExtend: 3}); !half.Exactly(1023) || half.Exactly(1024) {
		t.Error("pairs of 1,023 bases are not aligned exactly with penalties such as 6,4,3")
	}
	for _, want := range []string{
		"pairs shorter than 512 bases are aligned exactly",
		"(shorter than 1,024 with penalties such as 6,4,3, and than 16,384 with such as 10,12,3 and with edit distance, of which the exact mode is the faster one)",
		fmt.Sprintf("start with a band of %d diagonals, or of %d from 2,048 bases on", short.Band, long.Band),
		fmt.Sprintf("starts again with %d diagonals, then with %d, and is then aligned exactly", wider...),
		fmt.Sprintf("the band may move every %d scores, and every %d or more with penalties such as 10,12,3", long.Lambda, dear.Lambda),
		fmt.Sprintf("pairs start with %d diagonals", wanders.Band),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of wfagpu align does not say %q", want)
		}
	}
}

func TestManLint(t *testing.T) {
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is not installed")
	}
	dir, _, _ := manPages(t)
	files, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if out, err := exec.Command(mandoc, append([]string{"-Tlint", "-Wwarning"}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestManCommand(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "86400")
	dir := filepath.Join(t.TempDir(), "share", "man1")
	var out, problems bytes.Buffer
	std := streams{in: strings.NewReader(""), out: &out, err: &problems}
	if code := run(t.Context(), []string{"man", dir}, std); code != exitOK || out.Len()+problems.Len() > 0 {
		t.Fatalf("exit code %d, output %q, errors %q", code, out.String(), problems.String())
	}
	page, err := os.ReadFile(filepath.Join(dir, "wfagpu-align.1"))
	if err != nil || !strings.HasPrefix(string(page), ".nh\n.TH \"WFAGPU-ALIGN\" \"1\" \"1970-01-02\" \"wfagpu "+version+"\"") {
		t.Errorf("the page begins with %q, %v", page[:min(80, len(page))], err)
	}
	if _, err := os.Stat(filepath.Join(dir, "wfagpu-completion.1")); err == nil {
		t.Error("cobra's command has a page")
	}
	if code := run(t.Context(), []string{"man"}, std); code != exitUsage {
		t.Errorf("exit code %d without a directory", code)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "today")
	if code := run(t.Context(), []string{"man", dir}, std); code != exitUsage {
		t.Errorf("exit code %d with a bad date", code)
	}
}
