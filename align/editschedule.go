package align

// editSchedule divides the steps of a pair, whose number it is, into stages: the first one has
// what is left over, the others have editSteps each.
type editSchedule int

// stages returns the number of stages.
func (n editSchedule) stages() int { return (int(n) + editSteps - 1) / editSteps }

// first returns the number of steps of the first stage.
func (n editSchedule) first() int { return (int(n)-1)%editSteps + 1 }

// of returns the number of steps of a stage.
func (n editSchedule) of(stage int) int {
	if stage == 0 {
		return n.first()
	}
	return editSteps
}

// before returns the number of steps before a stage.
func (n editSchedule) before(stage int) int {
	if stage == 0 {
		return 0
	}
	return n.first() + (stage-1)*editSteps
}

// stageOf returns the stage and the step in it, from 0, of the step that follows t others.
func (n editSchedule) stageOf(t int) (stage, step int) {
	first := n.first()
	if t < first {
		return 0, t
	}
	t -= first
	return 1 + t/editSteps, t % editSteps
}
