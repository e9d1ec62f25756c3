package gpu

import (
	"wfagpu/align"
)

// newMiddle returns an engine of middles for an engine, whose device and module it uses, and what
// has it align them. Both are nil if pairs have no gates or no engine takes their middles. The engine
// of middles has no memory yet.
func newMiddle(e *Engine, o *Options) (*Engine, *insider, error) {
	m := &e.policy.Model
	x := &insider{model: *m, limit: e.policy.Limit, least: insideCells}
	x.options = align.Options{Penalties: o.Penalties, Match: o.Match, LongGap: o.LongGap, Span: o.Span, Free: o.Free, ScoreOnly: o.ScoreOnly}
	finder, err := align.NewInsider(x.options)
	if err != nil || finder == nil || m.Long != (align.Gap{}) || m.Affine().Validate() != nil {
		return nil, nil, err
	}
	options := Options{Penalties: m.Affine(), ScoreOnly: o.ScoreOnly, families: o.families}
	if options.MaxError.Fraction = o.MaxError.Fraction; o.Match == 0 {
		options.MaxError.Score = o.MaxError.Score / m.Scale
	}
	middle := &Engine{dev: e.dev, module: e.module, lent: true}
	if err := middle.configure(&options); err != nil {
		return nil, nil, err
	}
	if err := middle.load(); err != nil || middle.policy.Kernels.General < 0 {
		return nil, nil, err // the latter without the families of global pairs
	}
	x.alignMiddles = middle.AlignBatch
	x.apart = func(pattern, text int) bool {
		return e.policy.GatesMatrix(pattern, text, e.estimate.Rates()) || e.policy.TakesBound(pattern, text)
	}
	x.finish = e.assembler.finish
	x.staged = func(s *Stats) { e.scheduler.totals.add(s) }
	return middle, x, nil
}
