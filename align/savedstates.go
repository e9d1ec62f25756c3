package align

// savedState is the state of a computation after a line or a score.
type savedState struct {
	at   int
	data []int32
}

// savedStates are states of a computation in order, and the storage of those that have been
// dropped.
type savedStates struct {
	states []savedState
	spare  [][]int32
	used   int // elements in states
}

// add appends a state.
func (s *savedStates) add(at int, data []int32) {
	s.used += len(data)
	s.states = append(s.states, savedState{at, data})
}

// drop drops all states but the first n.
func (s *savedStates) drop(n int) {
	for _, d := range s.states[n:] {
		s.release(d)
	}
	s.states = s.states[:n]
}

// thin drops every second state but the first.
func (s *savedStates) thin() {
	kept := s.states[:1]
	for i, d := range s.states[1:] {
		if i%2 == 1 {
			kept = append(kept, d)
		} else {
			s.release(d)
		}
	}
	s.states = kept
}

func (s *savedStates) release(d savedState) {
	s.used -= len(d.data)
	s.spare = append(s.spare, d.data)
}
