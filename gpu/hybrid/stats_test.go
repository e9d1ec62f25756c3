package hybrid

import (
	"testing"
	"time"

	"wfagpu/align"
)

// GPUs may join while the counts are taken.
func TestStatsWhileJoining(t *testing.T) {
	cpu, err := align.New(align.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{cpu: cpu, team: newTeam(nil)}
	e.team.mu.Lock()
	counted := make(chan Stats)
	go func() { counted <- e.Stats() }()
	time.Sleep(100 * time.Millisecond) // most likely it waits for the team now
	set := &gpuSet{gpus: []GPU{scriptedGPU{}}}
	e.gpus.Store(set)
	e.team.members = set.members(cpu)
	e.team.mu.Unlock()
	if s := <-counted; len(s.GPUs) != 1 {
		t.Errorf("%+v", s)
	}
}
