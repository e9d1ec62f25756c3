package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"wfagpu/gpu"
)

// pageOptions name the page and the section that take the results.
type pageOptions struct {
	file, section, command string
	versions               string // of the peers
}

func (p *pageOptions) flags(f *flag.FlagSet) {
	f.StringVar(&p.file, "page", "", "Markdown `file` whose section takes the tables, too; pictures go to plots/ beside it")
	f.StringVar(&p.section, "section", "cpu", "the section of that file, between its marks <!-- begin NAME --> and <!-- end NAME -->")
	f.StringVar(&p.command, "command", "", "command to name in the tables (default: this one)")
}

// provenance writes the command, the date and the machine of figures.
func (p *pageOptions) provenance(w io.Writer) {
	command := p.command
	if command == "" {
		command = "go run ./scripts/bench"
		for _, arg := range os.Args[1:] {
			if strings.ContainsAny(arg, " \"'$") {
				arg = strconv.Quote(arg)
			}
			command += " " + arg
		}
	}
	fmt.Fprintf(w, "    %s\n\n%s, %s, %d CPUs", command, time.Now().UTC().Format("2006-01-02"), cpuName(), runtime.NumCPU())
	if memory := memoryTotal(); memory > 0 {
		fmt.Fprintf(w, ", %.0f GB of memory", memory/1e9)
	}
	if devices, err := gpu.Devices(); err == nil && len(devices) > 0 {
		fmt.Fprintf(w, ", %s", devices[0].Name)
	} else {
		fmt.Fprint(w, ", no GPU")
	}
	fmt.Fprintf(w, ", %s.\n\n", runtime.Version())
}

// memoryTotal is the machine's memory in bytes, 0 if the system does not tell.
func memoryTotal() float64 {
	info, _ := os.ReadFile("/proc/meminfo")
	var kilobytes float64
	if _, err := fmt.Sscanf(string(info), "MemTotal: %f", &kilobytes); err != nil {
		return 0
	}
	return 1000 * kilobytes * 1.024
}

// update puts text between the marks of the section.
func (p *pageOptions) update(text string) error {
	if p.file == "" {
		return nil
	}
	page, err := os.ReadFile(p.file)
	if err != nil {
		return err
	}
	changed, err := replaceSection(string(page), p.section, text)
	if err != nil {
		return fmt.Errorf("%s: %w", p.file, err)
	}
	return os.WriteFile(p.file, []byte(changed), 0o644)
}

func replaceSection(page, name, text string) (string, error) {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok := strings.Cut(page, begin)
	if !ok {
		return "", errors.New("no mark " + strings.TrimSpace(begin))
	}
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", errors.New("no mark " + end)
	}
	return before + begin + "\n" + strings.Trim(text, "\n") + "\n\n" + end + after, nil
}

// picture copies a picture to plots/ beside the page and returns its link there.
// Without a page the link is relative to the picture's directory. No picture has
// no link.
func (p *pageOptions) picture(file string) (string, error) {
	name := filepath.Base(file)
	if file == "" {
		return "", nil
	}
	if p.file == "" {
		return name, nil
	}
	dir := filepath.Join(filepath.Dir(p.file), "plots")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	name = p.section + "-" + name
	return "plots/" + name, os.WriteFile(filepath.Join(dir, name), data, 0o644)
}
