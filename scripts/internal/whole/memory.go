package whole

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"wfagpu/scripts/internal/report"
)

// memory bounds the memory of the GPU, by the flags of Bound: the bytes are the same,
// and the GPU has no more in use.
func (s *Session) memory(ctx context.Context) error {
	var ins []input
	for _, name := range s.Sets {
		b, err := s.readBlock(ctx, name)
		if err != nil {
			return err
		}
		// As much work of each set, of which there is a second for each CPU.
		repeats := max(1, int(s.Scale*s.threads()/max(b.cpu, 0.01)))
		ins = append(ins, repeat(b, min(repeats, 1+int(s.Bytes/8/b.bytes))*len(b.records)))
	}
	long, err := s.simulated(ctx, 20, max(1000, int(200_000*min(1, s.Scale))), 0.03, 700)
	if err != nil {
		return err
	}
	in := interleave(append(ins, repeat(long, 20))...)
	file, err := s.file("memory.seq", in)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	s.Printf("  %d pairs of %d sets, and %d of %s\n", in.pairs, len(ins), 20, long.name)
	free := &command{name: "all of its memory", input: file, in: in, args: onDevice(s.Device)}
	s.race(ctx, "memory", 1, free)
	bounded := &command{name: strings.Join(s.Bound, " "), input: file, in: in, args: onDevice(s.Device, s.Bound...)}
	before := gpuMemory(ctx)
	most := sampleMemory(ctx, func() { s.race(ctx, "memory", 1, bounded) })
	s.times("memory", "bounded / all of its memory", bounded.seconds(), free.seconds(), nil)
	if before >= 0 && most >= 0 {
		// The context and the kernels take some memory of their own.
		s.Printf("  memory in use on the GPU: %d MiB before, %d MiB at most\n", before, most)
		s.Result("memory", "most memory in use", float64(most-before), "MiB", report.AtMost(2048+768))
	}
	return nil
}

// sampleMemory returns the most memory in use on a GPU while do runs, or -1.
func sampleMemory(ctx context.Context, do func()) int {
	most := -1
	done := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
				most = max(most, gpuMemory(ctx))
			}
		}
	})
	do()
	close(done)
	wg.Wait()
	return most
}

// gpuMemory is the memory in use on the GPU with most of it, in MiB; -1 without
// nvidia-smi.
func gpuMemory(ctx context.Context) int {
	out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits").Output()
	if err != nil {
		return -1
	}
	most := -1
	for line := range bytes.Lines(out) {
		if v, err := strconv.Atoi(strings.TrimSpace(string(line))); err == nil {
			most = max(most, v)
		}
	}
	return most
}
