package main

import (
	_ "embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"wfagpu/align"
)

// version is the release that this source is or, with -dev behind it, leads to. The
// commit of a release has no -dev, and the tag v and version.
const version = "0.1.0-dev"

// archiveCommit is the commit of a source archive: git archive writes it in place of
// $Format:%H$. A checkout has the placeholder.
//
//go:embed commit.txt
var archiveCommit string

func newVersionCmd(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the build and the CPU code paths usable here",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(std.out, versionText())
			return err
		},
	}
}

func versionText() string {
	levels := make([]string, 0, 3)
	for _, l := range align.Levels() {
		levels = append(levels, string(l))
	}
	return fmt.Sprintf("wfagpu %s\nbuild: %s\ncpu code paths: %s\n",
		version, buildText(), strings.Join(levels, " "))
}

// buildText says what was built: the commit, the Go release and the platform.
func buildText() string {
	info, _ := debug.ReadBuildInfo() // nil if unknown
	return fmt.Sprintf("%s, %s %s/%s", commitText(archiveCommit, info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commitText is the commit of a source archive or, in a checkout, the one that Go
// found there, and whether files differ from it.
func commitText(archive string, info *debug.BuildInfo) string {
	const digits = 12
	if commit := strings.TrimSpace(archive); len(commit) >= digits && !strings.HasPrefix(commit, "$") {
		return "commit " + commit[:digits]
	}
	if info == nil {
		return "commit unknown"
	}
	var commit, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(digits, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				modified = " modified"
			}
		}
	}
	if commit == "" {
		return "commit unknown"
	}
	return "commit " + commit + modified
}
