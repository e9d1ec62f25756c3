package hybrid

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"wfagpu/align"
	"wfagpu/gpu"
)

// pairsOf is a batch of n pairs of a length, with results of a score.
func pairsOf(n, length, score int) *align.Batch {
	b := &align.Batch{}
	text := make([]byte, length)
	for range n {
		b.Pairs = append(b.Pairs, align.Pair{Pattern: text, Text: text})
		b.Results = append(b.Results, align.Result{Score: score})
	}
	return b
}

// The work of a batch is predicted from the scores of pairs of similar length.
func TestWorkModel(t *testing.T) {
	var m workModel
	if w, _ := m.of(pairsOf(10, 0, 0)); w != 10 {
		t.Errorf("empty pairs: work of %v", w)
	}
	short, long := pairsOf(1000, 150, 15), pairsOf(10, 10_000, 3000)
	const shortWork, longWork = 1000 * (301 + 15*15/32.), 10 * (20_001 + 3000*3000/32.)
	for range 3 {
		if w := m.learn(short); w != shortWork {
			t.Errorf("short pairs did %v", w)
		}
		if w := m.learn(long); w != longWork {
			t.Errorf("long pairs did %v", w)
		}
	}
	if w, _ := m.of(short); math.Abs(w-shortWork) > 1e-3*shortWork {
		t.Errorf("short pairs: work of %v, want %v", w, shortWork)
	}
	if w, _ := m.of(long); math.Abs(w-longWork) > 1e-3*longWork {
		t.Errorf("long pairs: work of %v, want %v", w, longWork)
	}
	// Lengths without pairs have the rate of shorter ones.
	got, bases := m.of(pairsOf(1, 100_000, 0))
	if want := 200_001 + 30_000*30_000/32.; bases != 200_000 || math.Abs(got-want) > 1e-3*want {
		t.Errorf("longer pairs: work of %v, want %v", got, want)
	}
	failed := pairsOf(100, 10_000, 0)
	for i := range failed.Results {
		failed.Results[i].Err = gpu.FallbackLetters
	}
	m.learn(failed)
	if w, _ := m.of(long); math.Abs(w-longWork) > 1e-3*longWork {
		t.Errorf("after failed pairs: work of %v, want %v", w, longWork)
	}
	for range 200 {
		m.learn(pairsOf(1000, 150, 150)) // other pairs from now on
	}
	got, _ = m.of(short)
	if want := 1000 * (301 + 150*150/32.); math.Abs(got-want) > 0.05*want {
		t.Errorf("short pairs, later: work of %v, want %v", got, want)
	}
}

// A rate is the work in the time in which there was enough.
func TestMeter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m meter
		expect := func(want float64) {
			t.Helper()
			if got, ok := m.rate(); ok != (want > 0) || math.Abs(got-want) > 1e-6*want {
				t.Errorf("rate %v, %v, want %v", got, ok, want)
			}
		}
		after := func(d time.Duration, full bool, work float64) {
			time.Sleep(d)
			m.mark(time.Now(), full, work)
		}
		expect(0)
		after(0, false, 0)
		after(time.Second, true, 100) // was not enough
		expect(0)
		after(time.Second, true, 0)
		expect(0)
		after(time.Second, true, 100)
		expect(50)
		after(time.Second, false, 50)
		expect(50)
		after(time.Hour, true, 100)
		expect(50)
		for range 20 {
			after(time.Second, true, 300)
		}
		if got, _ := m.rate(); got < 280 || got > 300 {
			t.Errorf("rate %v after much time at 300", got)
		}
	})
}

// The host is the limit where GPUs compute for a small part of the time.
func TestLoadWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var busy [2]time.Duration
		w := &hostWatch{}
		for i := range busy {
			w.gpus = append(w.gpus, busyGPU{busy: &busy[i]})
		}
		pass := func(d time.Duration, a, b float64, want bool) {
			t.Helper()
			time.Sleep(d)
			busy[0] += time.Duration(a * float64(d))
			busy[1] += time.Duration(b * float64(d))
			if got := w.hostLimits(); got != want {
				t.Errorf("after %v, of which %v and %v: %v", d, a, b, got)
			}
		}
		pass(0, 0, 0, false)
		pass(watchTime, 0, 0, false) // no GPU has begun
		pass(watchTime, 1, 1, false)
		pass(watchTime, 0.9, 0.5, true)
		pass(watchTime/2, 1, 1, true) // too early to tell
		pass(watchTime/2, 1, 1, false)
		pass(watchTime, 0, 1, true)
	})
}

type busyGPU struct {
	scriptedGPU
	busy *time.Duration
}

func (g busyGPU) Stats() gpu.Stats { return gpu.Stats{Busy: *g.busy} }

// A pair beyond the cutoff is as much work as one whose score is the cutoff.
func TestWorkBeyondCutoff(t *testing.T) {
	pair := align.Pair{Pattern: make([]byte, 1000), Text: make([]byte, 1000)}
	learn := func(score int) float64 {
		m := workModel{cutoff: 300}
		return m.learn(&align.Batch{Pairs: []align.Pair{pair}, Results: []align.Result{{Score: score}}})
	}
	if got, want := learn(align.Beyond), learn(300); got != want || want < learn(299) {
		t.Errorf("work %v, want %v", got, want)
	}
}
