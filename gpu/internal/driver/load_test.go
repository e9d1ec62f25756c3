//go:build linux && (amd64 || arm64) && !nogpu

package driver

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

// runAlone runs one test in a process of its own, whose environment has these
// variables ("NAME=value") and does not have those that are named in without.
func runAlone(t *testing.T, name string, without []string, with ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+name+"$", "-test.v")
	for _, v := range os.Environ() {
		keep := true
		for _, w := range without {
			keep = keep && !strings.HasPrefix(v, w+"=")
		}
		if keep {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, with...)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS")) {
		t.Errorf("%v: %v\n%s", with, err, out)
	}
	return string(out)
}

// C's environment has the number of connections after Load: the user's own, or
// else that of SetConnections, or else none.
func TestConnections(t *testing.T) {
	const child = "WFAGPU_TEST_CONNECTIONS"
	if ask, ok := os.LookupEnv(child); ok {
		if ask == "16" {
			if err := SetConnections(16); err != nil {
				t.Fatal(err)
			}
		}
		Load() // with or without a driver
		t.Logf("C has %q", getenvC(t, connectionsVariable))
		if err := SetConnections(4); err == nil {
			t.Error("connections are set after Load")
		}
		return
	}
	for _, tc := range []struct{ ask, user, want string }{
		{"", "", ""}, {"16", "", "16"}, {"16", "5", "5"}, {"", "5", "5"},
	} {
		with := []string{child + "=" + tc.ask}
		if tc.user != "" {
			with = append(with, connectionsVariable+"="+tc.user)
		}
		if out := runAlone(t, "TestConnections", []string{connectionsVariable}, with...); !strings.Contains(out, `C has "`+tc.want+`"`) {
			t.Errorf("asked for %q, the user has %q: want %q in\n%s", tc.ask, tc.user, tc.want, out)
		}
	}
	for _, n := range []int{-1, 0, 33} {
		if err := SetConnections(n); err == nil {
			t.Errorf("%d connections are accepted", n)
		}
	}
}

// getenvC asks C for an environment variable, empty if it is not set.
func getenvC(t *testing.T, name string) string {
	getenv, err := purego.Dlsym(purego.RTLD_DEFAULT, "getenv")
	if err != nil {
		t.Fatal(err)
	}
	c := append([]byte(name), 0)
	r, _, _ := purego.SyscallN(getenv, uintptr(unsafe.Pointer(&c[0])))
	return goString(*(**byte)(unsafe.Pointer(&r)))
}

// CUDA_VISIBLE_DEVICES reaches the library as it was given to the process.
func TestVisibleDevices(t *testing.T) {
	const child, variable = "WFAGPU_TEST_STUB", "CUDA_VISIBLE_DEVICES"
	if path := os.Getenv(child); path != "" {
		api, err := openLibrary(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		n, err := Count(api)
		t.Logf("count=%d err=%v", n, err)
		return
	}
	stub := buildStub(t)
	for visible, want := range map[string]string{
		"": "count=0 err=no NVIDIA GPU: ", "3": "count=1 err=<nil>", "2,0,5": "count=3 err=<nil>", "unset": "count=8 err=<nil>",
	} {
		with := []string{child + "=" + stub}
		if visible != "unset" {
			with = append(with, variable+"="+visible)
		}
		if out := runAlone(t, "TestVisibleDevices", []string{variable}, with...); !strings.Contains(out, want) {
			t.Errorf("%s=%s: want %s in\n%s", variable, visible, want, out)
		}
	}
}
