package hybrid

import (
	"testing"
	"testing/synctest"
	"time"

	"wfagpu/align"
)

// outlookRun aligns n batches on a CPU and on a GPU that is opened as soon as it pays,
// and returns the time in seconds. known says that the team knows how much is to come.
func outlookRun(t *testing.T, cpu, gpu *timedEngine, n int, known bool, opening time.Duration) (*team, float64) {
	team := newTeam(cpu.cpu())
	if known {
		team.rest = func() float64 { // the team calls it with its lock held
			if team.entered.bases == 0 {
				return 0
			}
			return float64(n)*testBases/team.entered.bases - 1
		}
	}
	closing := make(chan struct{})
	go func() {
		if !known || team.awaitNeed(closing) {
			time.Sleep(opening)
			team.join(gpus(gpu), nil)
		}
	}()
	took := run(t, team, n, 1000)
	close(closing)
	synctest.Wait()
	return team, took
}

// The CPU alone aligns what it finishes soon. Otherwise it leaves the host to GPUs
// while they are opened, but not for long, and beside them unless it is fast.
func TestTeamOutlook(t *testing.T) {
	const opening = 300 * time.Millisecond
	for _, tc := range []struct {
		name     string
		cpu, gpu float64 // batches per second
		n        int
		unknown  bool
		opening  time.Duration
		want     float64 // seconds
		joined   bool
		onCPU    [2]int // batches, at least and at most
	}{
		{"little", 600, 4000, 400, false, opening, 400. / 600, false, [2]int{400, 400}},
		{"much", 600, 4000, 4000, false, opening, 0.3 + 1, true, [2]int{1, 40}},
		{"a slow CPU", 20, 400, 400, false, opening, 0.3 + 1, true, [2]int{1, 18}},
		{"a slow CPU, little", 20, 400, 10, false, opening, 0.5, false, [2]int{10, 10}},
		{"a fast CPU", 600, 300, 4000, false, opening, 0.3 + 0.2 + 4000./900, true, [2]int{2000, 3200}},
		{"long to open", 20, 400, 400, false, 5 * time.Second, 5 + (400-4.5*20)/400., true, [2]int{85, 108}},
		{"unknown, much", 100, 2000, 1000, true, opening, 0.3 + 0.5, true, [2]int{1, 20}},
		{"unknown, little", 100, 2000, 20, true, opening, 0.2, true, [2]int{20, 20}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cpu, gpu := newTimedEngine("cpu", tc.cpu*testBases), newTimedEngine("gpu", tc.gpu*testBases)
				team, took := outlookRun(t, cpu, gpu, tc.n, !tc.unknown, tc.opening)
				time.Sleep(tc.opening) // a GPU may join after the last batch
				synctest.Wait()
				team.mu.Lock()
				defer team.mu.Unlock()
				expectSeconds(t, took, tc.want, 0.1)
				if joined := len(team.members) > 1; joined != tc.joined {
					t.Errorf("the GPU joined: %v", joined)
				}
				if n := int(team.cpu.done.pairs / 100); n < tc.onCPU[0] || n > tc.onCPU[1] {
					t.Errorf("%d batches on the CPU, want %v", n, tc.onCPU)
				}
			})
		})
	}
}

// GPUs are opened when the CPU finishes nothing, however little there is.
func TestTeamStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, gpu := newTimedEngine("cpu", 600*testBases), newTimedEngine("gpu", 600*testBases)
		cpu.hard = func(*align.Batch) float64 { return 10_000 }
		_, took := outlookRun(t, cpu, gpu, 1, true, 300*time.Millisecond)
		if took < 0.4 || took > 0.5 {
			t.Errorf("took %.3f s", took)
		}
	})
}

// The first moments of a GPU do not show how fast it is: it waits for memory.
func TestTeamColdGPU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, gpu := newTimedEngine("cpu", 100*testBases), newTimedEngine("gpu", 1000*testBases)
		begun := 0
		gpu.hard = func(*align.Batch) float64 {
			if begun++; begun < 5 {
				return 20
			}
			return 1
		}
		team, took := outlookRun(t, cpu, gpu, 1000, true, 300*time.Millisecond)
		expectSeconds(t, took, 0.3+0.08+1, 0.05)
		if n := team.cpu.done.pairs / 100; n > 10 {
			t.Errorf("%d batches on the CPU", n)
		}
	})
}
