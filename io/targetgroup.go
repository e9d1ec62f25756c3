package seqio

import "fmt"

// TargetVisitor is called with targets, several at a time. Of an error it returns, too, how many of
// them are fine.
type TargetVisitor func(group []Target) (int, error)

// targetGroup collects targets for a visitor, which takes less time for many at once.
type targetGroup struct {
	file    string // whose lines and records errors name
	lists   bool   // the file has a target in each line, and no records
	inTurn  bool   // queries and targets come in turn
	query   bool   // the last one was a query
	targets []Target
	places  []recordLine
	joined  []byte // letters of those that are wrapped, or names
	visit   TargetVisitor
}

// recordLine is the number of a record in its file, and its first line, both from 1. The line is 0
// where an index has the record.
type recordLine struct{ record, line int64 }

func (p recordLine) fail(g *targetGroup, err error) error {
	switch {
	case g.lists:
		return fmt.Errorf("%s:%d: %w", g.file, p.line, err)
	case p.line == 0:
		return fmt.Errorf("%s: record %d: %w", g.file, p.record, err)
	}
	return fmt.Errorf("%s:%d: record %d: %w", g.file, p.line, p.record, err)
}

const (
	groupTargets = 64
	groupJoined  = 1 << 20 // bytes
)

// add adds a target unless it is a query, and has the group visited when it is full.
func (g *targetGroup) add(t Target, at recordLine) error {
	if g.skips() {
		return nil
	}
	return g.append(t, at)
}

// skips goes on to the next record, and reports whether it is a query.
func (g *targetGroup) skips() bool {
	if !g.inTurn {
		return false
	}
	g.query = !g.query
	return g.query
}

// append adds a target, and has the group visited when it is full.
func (g *targetGroup) append(t Target, at recordLine) error {
	g.targets, g.places = append(g.targets, t), append(g.places, at)
	if len(g.targets) < groupTargets && len(g.joined) < groupJoined {
		return nil
	}
	return g.flush()
}

// addNow is add of a target whose slices will change.
func (g *targetGroup) addNow(t Target, at recordLine) error {
	if err := g.add(t, at); err != nil {
		return err
	}
	return g.flush()
}

// flush has the group visited.
func (g *targetGroup) flush() error {
	if len(g.targets) == 0 {
		return nil
	}
	n, err := g.visit(g.targets)
	if err != nil {
		err = g.places[n].fail(g, err)
	}
	g.drop()
	return err
}

// drop empties the group.
func (g *targetGroup) drop() {
	g.targets, g.places, g.joined = g.targets[:0], g.places[:0], g.joined[:0]
}

// keep returns a copy that stays until the group has been visited.
func (g *targetGroup) keep(text []byte) []byte {
	start := len(g.joined)
	g.joined = append(g.joined, text...)
	return g.joined[start:len(g.joined):len(g.joined)]
}
