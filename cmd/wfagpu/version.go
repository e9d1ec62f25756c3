package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"wfagpu/align"
)

// version is the release that this source is, or leads to.
const version = "0.1.0"

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

// buildText says what was built: the revision, where the build knows it, the
// Go release and the platform.
func buildText() string {
	text := fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	var revision, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				modified = "+changes"
			}
		}
	}
	if revision == "" {
		return text
	}
	return "revision " + revision + modified + ", " + text
}
