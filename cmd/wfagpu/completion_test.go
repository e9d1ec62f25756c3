package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// complete returns what the shells' scripts get: the words, from which they choose those
// that begin as typed, and the directive that ends them.
func complete(t *testing.T, args ...string) (words []string, directive string) {
	t.Helper()
	got := runOn(t, noGPUs, "", append([]string{"__complete"}, args...)...)
	if got.code != exitOK {
		t.Fatalf("%q: exit code %d, %s", args, got.code, got.stderr)
	}
	for line := range strings.Lines(got.stdout) {
		line = strings.TrimSuffix(line, "\n")
		if d, ok := strings.CutPrefix(line, ":"); ok {
			return words, d
		}
		word, _, _ := strings.Cut(line, "\t")
		words = append(words, word)
	}
	t.Fatalf("%q: no directive in %q", args, got.stdout)
	return nil, ""
}

const (
	files   = "0"  // cobra.ShellCompDirectiveDefault
	nothing = "36" // no files, keep the order
)

func TestCompletion(t *testing.T) {
	for _, tc := range []struct{ args, words, directive string }{
		{"align --device ", "auto cpu gpu", nothing},
		{"align --mode ", "exact approx", nothing},
		{"align --mode=", "exact approx", nothing},
		{"align --cigar-style ", "extended classic", nothing},
		{"align --check-names ", "notice error off", nothing},
		{"align -O ", "tsv paf sam", nothing},
		{"align -g ", "2,3,1 edit 4,6,2", nothing},
		{"align --span ", "global ends-free extension local", nothing},
		{"align --free ", "0,0,all,all 0,all,all,0 all,0,0,all", nothing},
		{"align --threads ", "", nothing},
		{"align --output ", "", files},
		{"align -q ", "", files},
		{"align ", "", files},
		{"generate --model ", "uniform substitution bursts sv", nothing},
		{"generate -n ", "", nothing},
		{"generate --output ", "", files},
	} {
		words, directive := complete(t, strings.Split(tc.args, " ")...)
		if got := strings.Join(words, " "); got != tc.words || directive != tc.directive {
			t.Errorf("%q: %q and directive %s, want %q and %s", tc.args, got, directive, tc.words, tc.directive)
		}
	}
}

func TestCompletionOfHelp(t *testing.T) {
	words, directive := complete(t, "help", "")
	for _, want := range []string{"align", "generate", "penalties", "version"} {
		if !slices.Contains(words, want) || slices.Contains(words, "man") || directive != "4" {
			t.Errorf("%q and directive %s, want %s and no hidden command", words, directive, want)
		}
	}
}

// Every word that is proposed is one that the flag takes, and belongs to a flag.
func TestCompletionWords(t *testing.T) {
	left := flagWords()
	for _, c := range newRootCmd(streams{}, defaultAlignOptions()).Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			words := flagWords()[f.Name]
			delete(left, f.Name)
			for _, word := range words {
				word, _, _ = strings.Cut(word, "\t")
				if err := f.Value.Set(word); err != nil {
					t.Errorf("%s --%s %s: %v", c.Name(), f.Name, word, err)
				}
			}
		})
	}
	for name := range left {
		t.Errorf("no command has the flag --%s", name)
	}
}

// The scripts of all shells name the program, and a run with every word of a plain
// string flag gets past the command line.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := runOn(t, noGPUs, "", "completion", shell); got.code != exitOK || !strings.Contains(got.stdout, "wfagpu") {
			t.Errorf("%s: exit code %d, %d bytes", shell, got.code, len(got.stdout))
		}
	}
	pairs := filepath.Join(t.TempDir(), "p.seq")
	writeFiles(t, map[string]string{pairs: ">A\n<A\n"})
	for _, flag := range []string{"format", "mode"} {
		for _, word := range flagWords()[flag] {
			word, _, _ = strings.Cut(word, "\t")
			if got := runOn(t, noGPUs, "", "align", "--"+flag, word, pairs); got.code != exitOK {
				t.Errorf("--%s %s: exit code %d, %s", flag, word, got.code, got.stderr)
			}
		}
	}
	for _, word := range flagWords()["model"] {
		if got := runOn(t, noGPUs, "", "generate", "-n", "1", "--model", word); got.code != exitOK {
			t.Errorf("--model %s: exit code %d, %s", word, got.code, got.stderr)
		}
	}
}
