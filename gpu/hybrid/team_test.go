package hybrid

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wfagpu/align"
)

// A team is about as fast as its members together, whichever is the faster, and
// never slower than the fastest one alone, once it knows how fast they are.
func TestTeamAddsUp(t *testing.T) {
	const n = 1600
	for _, tc := range []struct {
		cpu  float64 // batches per second, 0 for none
		gpus []float64
	}{
		{20, []float64{400}}, {100, []float64{100}}, {200, []float64{50}}, {400, []float64{20}},
		{0, []float64{100}}, {100, nil}, {0, []float64{100, 100}}, {0, []float64{100, 100, 100, 100}},
		{0, []float64{300, 100}}, {20, []float64{200, 200}}, {300, []float64{50, 100}},
	} {
		for _, inFlight := range []int{40, 400} {
			t.Run(fmt.Sprintf("%v,%v,%d", tc.cpu, tc.gpus, inFlight), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					total := tc.cpu
					var cpu *member
					if tc.cpu > 0 {
						cpu = newTimedEngine("cpu", tc.cpu*testBases).cpu()
					}
					var all []*timedEngine
					for _, r := range tc.gpus {
						all = append(all, newTimedEngine("gpu", r*testBases))
						total += r
					}
					team := newTeam(cpu)
					team.join(gpus(all...), nil)
					expectSeconds(t, run(t, team, n, inFlight), n/total, 0.08)
				})
			})
		}
	}
}

// Engines that wait for input do not align each other's batches again.
func TestTeamRacesForMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, a, b := newTimedEngine("cpu", 20*testBases), newTimedEngine("a", 400*testBases), newTimedEngine("b", 400*testBases)
		team := newTeam(cpu.cpu())
		team.join(gpus(a, b), nil)
		for range 20 {
			run(t, team, 1, 1)
		}
		for _, m := range team.members {
			if m.done.repeated > 0 {
				t.Errorf("%d pairs repeated", m.done.repeated)
			}
		}
	})
}

// A GPU that takes long for a batch, and no longer for many, gets many: its rate is not
// judged by the first few.
func TestTeamFillsGPU(t *testing.T) {
	for _, latency := range []time.Duration{10 * time.Millisecond, 100 * time.Millisecond, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			cpu, gpu := newTimedEngine("cpu", 20*testBases), newTimedEngine("gpu", 400*testBases)
			gpu.latency = latency
			team := newTeam(cpu.cpu())
			time.AfterFunc(50*time.Millisecond, func() { team.join(gpus(gpu), nil) })
			n := 2000
			got := run(t, team, n, 1000)
			if most := (float64(n)/400 + latency.Seconds()) * 1.05; got > most {
				t.Errorf("a latency of %v: took %.3f s, want at most %.3f", latency, got, most)
			}
		})
	}
}

// The CPU aligns while GPUs are opened. What waits then goes to them.
func TestTeamWhileOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, gpu := newTimedEngine("cpu", 10*testBases), newTimedEngine("gpu", 400*testBases)
		team := newTeam(cpu.cpu())
		time.AfterFunc(500*time.Millisecond, func() { team.join(gpus(gpu), nil) })
		got := run(t, team, 205, 1000)
		expectSeconds(t, got, 0.5+200./400, 0.03)
		if early := team.cpu.done.early; early < 400 || early > 1000 {
			t.Errorf("%d pairs early", early)
		}
		if all := team.cpu.done.pairs + team.members[0].done.pairs; all != 20500 {
			t.Errorf("%d pairs in all", all)
		}
	})
}

// A run that the CPU finishes does not wait for GPUs, and one without GPUs uses
// all that the CPU takes.
func TestTeamWithoutGPU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu := newTimedEngine("cpu", 10*testBases)
		team := newTeam(cpu.cpu())
		expectSeconds(t, run(t, team, 9, 1000), 0.9, 0)
		team.join(nil, nil)
		expectSeconds(t, run(t, team, 20, 1000), 2, 0)
	})
}

// The end of a run never waits for an engine that is slower on some batches than
// it was before: another one takes over.
func TestTeamTakesOver(t *testing.T) {
	hard := func(first int64) func(*align.Batch) float64 {
		return func(b *align.Batch) float64 {
			if b.First <= first {
				return 10_000
			}
			return 1
		}
	}
	for _, tc := range []struct {
		name     string
		cpu, gpu func(*align.Batch) float64
		repeated string
	}{
		{"the CPU is stuck", hard(3), nil, "cpu"},
		{"the GPU is stuck", nil, hard(1000), "gpu"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cpu, gpu := newTimedEngine("cpu", 20*testBases), newTimedEngine("gpu", 400*testBases)
				cpu.hard, gpu.hard = tc.cpu, tc.gpu
				team := newTeam(cpu.cpu())
				time.AfterFunc(100*time.Millisecond, func() { team.join(gpus(gpu), nil) })
				got := run(t, team, 100, 1000)
				want := 0.1 + 100./400
				if tc.gpu != nil {
					want = 100. / 20
				}
				expectSeconds(t, got, want, 0.1)
				c, g := team.cpu.done, team.members[0].done
				if c.pairs+g.pairs != 10000 {
					t.Errorf("%d and %d pairs", c.pairs, g.pairs)
				}
				if (c.repeated > 0) != (tc.repeated == "cpu") || (g.repeated > 0) != (tc.repeated == "gpu") {
					t.Errorf("%d and %d pairs repeated", c.repeated, g.repeated)
				}
			})
		})
	}
}

// The CPU takes no batch while the host is what limits the GPUs.
func TestTeamCPURests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, gpu := newTimedEngine("cpu", 100*testBases), newTimedEngine("gpu", 100*testBases)
		team := newTeam(cpu.cpu())
		limited := true
		team.join(gpus(gpu), func() bool { return limited })
		expectSeconds(t, run(t, team, 50, 100), 0.5, 0)
		if len(cpu.took) > 0 {
			t.Errorf("the CPU took %v", cpu.took)
		}
		limited = false
		expectSeconds(t, run(t, team, 50, 100), 0.25, 0.1)
	})
}

// A CPU of which nobody knows how fast it is takes one batch of those that wait when GPUs join.
func TestTeamMeasuresCPU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, gpu := newTimedEngine("cpu", 20*testBases), newTimedEngine("gpu", 400*testBases)
		team := newTeam(cpu.cpu())
		team.rest = func() float64 { return 1000 } // so much that GPUs pay
		time.AfterFunc(100*time.Millisecond, func() { team.join(gpus(gpu), nil) })
		run(t, team, 200, 1000)
		if len(cpu.took) != 1 {
			t.Errorf("the CPU took %v", cpu.took)
		}
	})
}

// A CPU that rests takes no batch from a GPU that finishes pairs, however long its batches take.
func TestTeamRestsWhilePairsFinish(t *testing.T) {
	for _, every := range []time.Duration{0, stuckTime / 10} {
		synctest.Test(t, func(t *testing.T) {
			cpu, gpu := newTimedEngine("cpu", 100*testBases), newTimedEngine("gpu", 10*testBases)
			gpu.latency, gpu.every = 2*stuckTime, every
			team := newTeam(cpu.cpu())
			team.join(gpus(gpu), func() bool { return true })
			run(t, team, 5, 100)
			if raced := len(cpu.took) > 0; raced != (every == 0) {
				t.Errorf("with a pair every %v, the CPU took %v", every, cpu.took)
			}
		})
	}
}

// The failure of an engine is the batch's error, whoever raced for it.
func TestTeamFails(t *testing.T) {
	failure := errors.New("failure")
	synctest.Test(t, func(t *testing.T) {
		cpu, gpu := newTimedEngine("cpu", testBases), newTimedEngine("gpu", testBases)
		gpu.err = failure
		team := newTeam(cpu.cpu())
		b := &align.Batch{Pairs: []align.Pair{{Pattern: make([]byte, testBases)}}}
		time.AfterFunc(time.Millisecond, func() { team.join(gpus(gpu), nil) })
		start := time.Now()
		if err := team.AlignBatch(t.Context(), b); err != failure {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took != time.Millisecond {
			t.Errorf("the failure came after %v", took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		team := newTeam(nil)
		time.AfterFunc(time.Millisecond, func() { team.fail(failure) })
		for range 2 {
			if err := team.AlignBatch(t.Context(), &align.Batch{}); err != failure {
				t.Errorf("got %v", err)
			}
		}
	})
}

// A batch ends when its context does: one that waits at once, one under way as
// soon as nobody uses it.
func TestTeamInterrupted(t *testing.T) {
	for _, joined := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			gpu, cpu := newTimedEngine("gpu", 1), newTimedEngine("cpu", 1)
			team := newTeam(nil)
			if joined {
				team = newTeam(cpu.cpu())
				team.join(gpus(gpu), nil)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			start := time.Now()
			var wg sync.WaitGroup
			for range 5 {
				wg.Go(func() {
					b := &align.Batch{Pairs: []align.Pair{{Pattern: make([]byte, 1000)}}}
					if err := team.AlignBatch(ctx, b); err != context.Canceled {
						t.Errorf("got %v", err)
					}
				})
			}
			wg.Wait()
			if took := time.Since(start); took != time.Second {
				t.Errorf("the interrupt took effect after %v", took)
			}
		})
	}
}
