package whole

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// run is a finished process.
type run struct {
	seconds float64 // of the process
	inside  float64 // of the alignment, by its own --stats; 0 if unknown
	cpu     float64 // user and system time
	exit    int
	stderr  string
}

// process is a started `wfagpu align`.
type process struct {
	cmd    *exec.Cmd
	start  time.Time
	stderr bytes.Buffer
	stats  string
	cancel context.CancelFunc
	ctx    context.Context
}

// start starts `program align` with more arguments. Without --stats among them, its
// own measurements are read at the end.
func (b *bench) start(ctx context.Context, program string, args ...string) (*process, error) {
	stats, err := os.CreateTemp(b.dir, "stats-")
	if err != nil {
		return nil, err
	}
	stats.Close()
	p := &process{stats: stats.Name()}
	p.ctx, p.cancel = context.WithTimeout(ctx, b.Limit)
	p.cmd = exec.CommandContext(p.ctx, program, append([]string{"align", "--stats", p.stats}, args...)...)
	p.cmd.Stderr = &p.stderr
	p.start = time.Now()
	if err := p.cmd.Start(); err != nil {
		p.cancel()
		return nil, err
	}
	return p, nil
}

// wait waits for the end. An exit code other than 0 is no error here, but the end
// of the time is.
func (p *process) wait() (run, error) {
	defer p.cancel()
	defer os.Remove(p.stats)
	err := p.cmd.Wait()
	r := run{seconds: time.Since(p.start).Seconds(), stderr: p.stderr.String()}
	if p.ctx.Err() != nil {
		return r, fmt.Errorf("ended after %.1f s: %w (%s)", r.seconds, p.ctx.Err(), p.name())
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return r, fmt.Errorf("%s: %w", p.name(), err)
	}
	state := p.cmd.ProcessState
	r.exit = state.ExitCode()
	r.cpu = (state.UserTime() + state.SystemTime()).Seconds()
	var own struct {
		Seconds float64 `json:"seconds"`
	}
	if text, err := os.ReadFile(p.stats); err == nil && json.Unmarshal(text, &own) == nil {
		r.inside = own.Seconds
	}
	return r, nil
}

// name is the command without the file of --stats.
func (p *process) name() string { return "align " + strings.Join(p.cmd.Args[4:], " ") }

// align runs the program to its end, which must be a good one, from a file to a new
// file.
func (b *bench) align(ctx context.Context, input, output string, args ...string) (run, error) {
	return b.alignBy(ctx, b.Program, input, output, args...)
}

func (b *bench) alignBy(ctx context.Context, program, input, output string, args ...string) (run, error) {
	if err := os.Remove(output); err != nil && !errors.Is(err, os.ErrNotExist) {
		return run{}, err
	}
	p, err := b.start(ctx, program, append(append([]string{}, args...), "-o", output, input)...)
	if err != nil {
		return run{}, err
	}
	r, err := p.wait()
	if err == nil && r.exit != 0 {
		err = fmt.Errorf("exit code %d: %s (%s)", r.exit, lastLine(r.stderr), p.name())
	}
	return r, err
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
