package main

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestCommitText(t *testing.T) {
	const commit, placeholder = "0123456789abcdef0123456789abcdef01234567", "$" + "Format:%H$\n"
	info := func(settings ...string) *debug.BuildInfo {
		b := &debug.BuildInfo{}
		for i := 0; i < len(settings); i += 2 {
			b.Settings = append(b.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return b
	}
	for _, tc := range []struct {
		name, archive string
		info          *debug.BuildInfo
		want          string
	}{
		{"source archive", commit + "\n", info(), "commit 0123456789ab"},
		{"source archive in another repository", commit + "\n", info("vcs.revision", "ffffffffffffffff", "vcs.modified", "true"), "commit 0123456789ab"},
		{"checkout", placeholder, info("vcs.revision", commit, "vcs.modified", "false"), "commit 0123456789ab"},
		{"changed checkout", placeholder, info("vcs.revision", commit, "vcs.modified", "true"), "commit 0123456789ab modified"},
		{"checkout without git", placeholder, info("GOOS", "linux"), "commit unknown"},
		{"no build information", placeholder, nil, "commit unknown"},
		{"empty file", "", info(), "commit unknown"},
	} {
		if got := commitText(tc.archive, tc.info); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A checkout has the placeholder that git archive replaces.
func TestArchivePlaceholder(t *testing.T) {
	if archiveCommit != "$"+"Format:%H$\n" && !regexp.MustCompile(`^[0-9a-f]{40}\n$`).MatchString(archiveCommit) {
		t.Errorf("commit.txt has %q", archiveCommit)
	}
}

// --version is one line: name, version, build.
func TestVersionFlag(t *testing.T) {
	got := runOn(t, noGPUs, "", "--version")
	want := regexp.MustCompile(`^wfagpu \d+\.\d+\.\d+(-dev)? \(commit ([0-9a-f]{12}( modified)?|unknown), ` +
		regexp.QuoteMeta(runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH) + `\)\n$`)
	if got.code != exitOK || !want.MatchString(got.stdout) {
		t.Errorf("exit code %d, %q", got.code, got.stdout)
	}
	if text := versionText(); !strings.HasPrefix(text, "wfagpu "+version+"\nbuild: "+buildText()+"\n") {
		t.Errorf("wfagpu version prints %q", text)
	}
}
