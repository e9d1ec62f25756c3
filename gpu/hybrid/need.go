package hybrid

import "time"

// What an engine asks its team about the devices: whether GPUs pay, and whether the CPU is
// alone. The dealer has the answers (outlook.go).

// awaitNeed waits until GPUs pay. It reports false if closing is closed before.
func (t *team) awaitNeed(closing <-chan struct{}) bool {
	for !t.needsGPUs() {
		select {
		case <-t.entry:
		case <-time.After(stallTime / 2):
		case <-closing:
			return false
		}
	}
	return true
}

func (t *team) needsGPUs() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.assess()
	return !t.needed.IsZero()
}

// isCPUAlone reports whether the CPU aligns with nobody, and nobody is likely to join.
func (t *team) isCPUAlone() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cpuAlone()
}
