package page

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// browser runs chromium on a file and returns its standard output. It fails on messages
// of the console, such as those on something that was not loaded.
func browser(t *testing.T, path string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	args = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--enable-logging=stderr", "--user-data-dir=" + t.TempDir(),
	}, args...)
	cmd := exec.CommandContext(ctx, program, append(args, "file://"+path)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the browser says: %s", line)
		}
	}
	return stdout.String()
}

// pageFiles writes the pages of all samples. The directory that WFAGPU_PAGES names keeps
// them for a look.
func pageFiles(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if keep := os.Getenv("WFAGPU_PAGES"); keep != "" {
		dir = keep
	}
	files := map[string]string{}
	for name, r := range samples() {
		text, err := HTML(r)
		if err != nil {
			t.Fatal(name, err)
		}
		files[name] = filepath.Join(dir, name+".html")
		if err := os.WriteFile(files[name], text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// measure is a script that looks at the page in every frame. It reports a page that is
// wider than its frame, labels of charts that overlap, and labels outside the frame. Tables
// are open.
const measure = `
const problems = [];
for (const frame of document.querySelectorAll('iframe')) {
  const page = frame.contentDocument, name = frame.title, width = frame.clientWidth;
  const say = text => problems.push(name + ': ' + text);
  if (page.querySelectorAll('section').length < 8) say('there are few sections');
  for (const open of [false, true]) {
    page.querySelectorAll('details').forEach(d => d.open = open);
    if (page.documentElement.scrollWidth > width) say('the page is ' + page.documentElement.scrollWidth + ' wide');
  }
  for (const svg of page.querySelectorAll('figure > svg')) {
    const outer = svg.getBoundingClientRect();
    if (outer.width < 100 || outer.height < 40) say('a chart is small');
    const boxes = [...svg.querySelectorAll('text')].map(t => [t.getBoundingClientRect(), t.textContent]);
    boxes.forEach(([a, text], i) => {
      if (a.width < 1 && text) say('no text ' + text);
      if (a.left < -1 || a.right > width + 1) say('cut: ' + text);
      if (a.top < outer.top - 1 || a.bottom > outer.bottom + 1) say('outside of its chart: ' + text);
      for (const [b, other] of boxes.slice(i + 1))
        if (a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom) say(text + ' overlaps ' + other);
    });
    for (const bar of svg.querySelectorAll('rect')) {
      const a = bar.getBoundingClientRect();
      if (a.left < outer.left - 1 || a.right > outer.right + 1 || a.height < 0.5) say('a bar is out of place');
    }
  }
}
document.body.textContent = problems.length ? problems.join('\n') : 'nothing is wrong';
`

// In a browser, pages fit narrow and wide screens.
func TestLayout(t *testing.T) {
	for _, width := range []int{320, 360, 1100} {
		var text strings.Builder
		text.WriteString("<!DOCTYPE html><meta charset=utf-8><body>")
		for name, path := range pageFiles(t) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&text, "<iframe title=%s width=%d height=800 style='border:0' srcdoc='%s'></iframe>", name, width, html.EscapeString(string(content)))
		}
		fmt.Fprintf(&text, "<script>window.onload = () => {%s}</script>", measure)
		path := filepath.Join(t.TempDir(), "frames.html")
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		dom := browser(t, path, "--dump-dom", fmt.Sprintf("--window-size=%d,900", width+100))
		_, found, _ := strings.Cut(dom, "<body>")
		found, _, _ = strings.Cut(found, "</body>")
		if found = strings.TrimSpace(found); found != "nothing is wrong" {
			t.Errorf("%d pixels wide:\n%s", width, found)
		}
	}
}

// picture takes a screenshot.
func picture(t *testing.T, path string, args ...string) image.Image {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.png")
	browser(t, path, append([]string{"--screenshot=" + file, "--window-size=1000,1400"}, args...)...)
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// colour is a colour of the style sheet, the n-th of its name.
func colour(t *testing.T, name string, n int) (r, g, b uint32) {
	t.Helper()
	css, err := files.ReadFile("page.css")
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`--`+name+`: #(..)(..)(..);`).FindAllSubmatch(css, -1)
	if len(all) <= n {
		t.Fatalf("%d colours --%s", len(all), name)
	}
	if _, err := fmt.Sscanf(string(bytes.Join(all[n][1:], []byte(" "))), "%x %x %x", &r, &g, &b); err != nil {
		t.Fatal(err)
	}
	return r, g, b
}

// A page is light or dark, as the reader's system is, and shows its bars.
func TestColours(t *testing.T) {
	path := pageFiles(t)["long"]
	for scheme, flag := range []string{"--blink-settings=preferredColorScheme=1", "--blink-settings=preferredColorScheme=0"} {
		img := picture(t, path, flag)
		count := func(name string) int {
			r, g, b := colour(t, name, scheme)
			n := 0
			for y := range img.Bounds().Dy() {
				for x := range img.Bounds().Dx() {
					pr, pg, pb, _ := img.At(x, y).RGBA()
					if pr>>8 == r && pg>>8 == g && pb>>8 == b {
						n++
					}
				}
			}
			return n
		}
		all := img.Bounds().Dx() * img.Bounds().Dy()
		if surface, bars := count("surface"), count("accent"); surface < all/2 || bars < all/200 {
			t.Errorf("scheme %d: of %d pixels %d have the colour of the page, %d that of bars", scheme, all, surface, bars)
		}
	}
}

// A page can be printed.
func TestPrint(t *testing.T) {
	path := pageFiles(t)["gpus"]
	pdf := filepath.Join(t.TempDir(), "page.pdf")
	browser(t, path, "--print-to-pdf="+pdf, "--no-pdf-header-footer")
	text, err := os.ReadFile(pdf)
	if err != nil || !bytes.HasPrefix(text, []byte("%PDF-")) || len(text) < 10_000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
