package cuda

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// manifest is the manifest that scripts/build-kernels.sh writes. Hashes are SHA-256 in
// hexadecimal.
type manifest struct {
	Compiler      string            `json:"compiler"`
	Flags         []string          `json:"flags"`
	Architectures []string          `json:"architectures"`
	Kernels       []string          `json:"kernels"` // in the fatbin, by name
	Fatbin        string            `json:"fatbin"`
	Sources       map[string]string `json:"sources"` // by file name
}

// errNoFatbin: there is neither a fatbin nor a manifest.
var errNoFatbin = errors.New("no fatbin is committed yet")

// checkManifest returns every way in which the manifest in dir/bin disagrees
// with the fatbin beside it and the sources in dir.
func checkManifest(dir string) error {
	fatbin, fatbinErr := os.ReadFile(filepath.Join(dir, "bin", "wfagpu.fatbin"))
	text, err := os.ReadFile(filepath.Join(dir, "bin", "manifest.json"))
	if errors.Is(fatbinErr, fs.ErrNotExist) && errors.Is(err, fs.ErrNotExist) {
		return errNoFatbin
	}
	if err := errors.Join(fatbinErr, err); err != nil {
		return fmt.Errorf("fatbin and manifest belong together: %w", err)
	}
	var m manifest
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return fmt.Errorf("manifest.json: %w", err)
	}

	var problems []error
	problem := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if m.Compiler == "" || len(m.Flags) == 0 || len(m.Architectures) == 0 || len(m.Kernels) == 0 {
		problem("manifest.json: compiler, flags, architectures or kernels missing")
	}
	if hash(fatbin) != m.Fatbin {
		problem("wfagpu.fatbin is not the one that manifest.json describes")
	}
	there, err := sources(dir)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		switch was, listed := m.Sources[name]; {
		case !listed:
			problem("%s was added after the kernels were compiled", name)
		case was != there[name]:
			problem("%s has changed since the kernels were compiled", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Sources)) {
		if _, ok := there[name]; !ok {
			problem("%s was compiled into the kernels and is gone", name)
		}
	}
	return errors.Join(problems...)
}

// sources returns the hashes of the kernels' sources by file name.
func sources(dir string) (map[string]string, error) {
	found := map[string]string{}
	for _, pattern := range []string{"*.cu", "*.cuh"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			found[filepath.Base(name)] = hash(b)
		}
	}
	return found, nil
}

func hash(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// TestManifest fails if a kernel has changed since the image was compiled.
func TestManifest(t *testing.T) {
	err := checkManifest(".")
	if errors.Is(err, errNoFatbin) {
		t.Skip(err)
	}
	if err != nil {
		t.Errorf("%v\nmake kernels compiles them", err)
	}
}

func TestCheckManifest(t *testing.T) {
	const fatbin, list = "bin/wfagpu.fatbin", "bin/manifest.json"
	for _, test := range []struct {
		name   string
		change func(files map[string]string)
		want   string // part of the error; none if empty
	}{
		{"unchanged", func(map[string]string) {}, ""},
		{"other files", func(f map[string]string) { f["embed.go"], f["clang/shim.h"] = "package cuda", "" }, ""},
		{"nothing compiled", func(f map[string]string) { delete(f, fatbin); delete(f, list) }, errNoFatbin.Error()},
		{"no fatbin", func(f map[string]string) { delete(f, fatbin) }, "belong together"},
		{"no manifest", func(f map[string]string) { delete(f, list) }, "belong together"},
		{"fatbin changed", func(f map[string]string) { f[fatbin] += "x" }, "wfagpu.fatbin is not the one"},
		{"source changed", func(f map[string]string) { f["a.cu"] += " " }, "a.cu has changed"},
		{"header changed", func(f map[string]string) { f["b.cuh"] = "" }, "b.cuh has changed"},
		{"source added", func(f map[string]string) { f["c.cuh"] = "" }, "c.cuh was added"},
		{"source gone", func(f map[string]string) { delete(f, "b.cuh") }, "b.cuh was compiled into the kernels and is gone"},
		{"source renamed", func(f map[string]string) { f["c.cu"] = f["a.cu"]; delete(f, "a.cu") }, "a.cu was compiled"},
		{"no compiler", func(f map[string]string) { f[list] = strings.Replace(f[list], "nvcc", "", 1) }, "compiler, flags, architectures or kernels"},
		{"no kernels", func(f map[string]string) { f[list] = strings.Replace(f[list], `["kernel"]`, "[]", 1) }, "or kernels missing"},
		{"unknown field", func(f map[string]string) { f[list] = strings.Replace(f[list], "sources", "source", 1) }, "unknown field"},
		{"not JSON", func(f map[string]string) { f[list] = "{" }, "manifest.json: unexpected EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"a.cu": "kernel", "b.cuh": "header", fatbin: "machine code"}
			text, err := json.Marshal(manifest{
				Compiler: "nvcc", Flags: []string{"-O3"}, Architectures: []string{"sm_90"}, Kernels: []string{"kernel"},
				Fatbin:  hash([]byte(files[fatbin])),
				Sources: map[string]string{"a.cu": hash([]byte("kernel")), "b.cuh": hash([]byte("header"))},
			})
			if err != nil {
				t.Fatal(err)
			}
			files[list] = string(text)
			test.change(files)
			dir := t.TempDir()
			for name, content := range files {
				path := filepath.Join(dir, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			err = checkManifest(dir)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

// TestImage: the program has the image that the manifest describes, or reports that it
// has none.
func TestImage(t *testing.T) {
	got, err := Image()
	want, fileErr := os.ReadFile("bin/wfagpu.fatbin")
	if fileErr != nil {
		if len(got) != 0 || !errors.Is(err, ErrNoImage) {
			t.Errorf("got %d bytes and %v, want none and ErrNoImage", len(got), err)
		}
		return
	}
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes and %v, want the fatbin's %d", len(got), err, len(want))
	}
}

func TestImageOf(t *testing.T) {
	for _, test := range []struct {
		name  string
		files fstest.MapFS
		ok    bool
		noImg bool
	}{
		{"there", fstest.MapFS{"bin/wfagpu.fatbin": {Data: []byte("x")}}, true, false},
		{"missing", fstest.MapFS{"bin/README.md": {}}, false, true},
		{"empty", fstest.MapFS{"bin/wfagpu.fatbin": {}}, false, false},
	} {
		b, err := image(test.files)
		if ok := err == nil && len(b) > 0; ok != test.ok || errors.Is(err, ErrNoImage) != test.noImg {
			t.Errorf("%s: got %d bytes and %v", test.name, len(b), err)
		}
	}
}
