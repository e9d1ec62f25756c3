package kernel

// Family is a way of computing alignments on the device.
type Family struct {
	Name string // part of the names of its kernels
	// Counter is the name under which statistics count its pairs.
	Counter string
	// spans tells that its kernels are for models that are not plain, and those of the others for plain ones. Those
	// of the span family are for both.
	spans bool
	// load returns the family's kernels for a configuration, possibly none.
	load func(f *Family, l *loader) ([]Kernel, error)
}

// families is the table of all families.
var families = []*Family{
	{Name: "warp", Counter: "warp", load: loadWarp},
	{Name: "block", Counter: "block", load: loadBlock},
	{Name: "long", Counter: "block", load: loadLong},
	{Name: "edit", Counter: "edit", load: loadEdit},
	{Name: "gotoh", Counter: "gotoh", load: loadGotoh},
	{Name: "tiles", Counter: "tiles", load: loadTiles},
	{Name: "gated", Counter: "gated", load: loadGated},
	{Name: "general", Counter: "general", load: loadGeneral},
	{Name: spanFamily, Counter: spanFamily, spans: true, load: loadSpan},
	{Name: "warp_free", Counter: "warp", spans: true, load: loadWarpFree},
	{Name: "block_free", Counter: "block", spans: true, load: loadBlockFree},
	{Name: "long_free", Counter: "block", spans: true, load: loadLongFree},
	{Name: "gotoh_free", Counter: "gotoh", spans: true, load: loadGotohFree},
	{Name: "gated_free", Counter: "gated", spans: true, load: loadGatedFree},
	{Name: "adaptive_warp", Counter: adaptiveCounter, load: loadAdaptiveWarp},
	{Name: "adaptive_long", Counter: adaptiveCounter, load: loadAdaptiveLong},
	{Name: "adaptive_rings", Counter: adaptiveCounter, load: loadAdaptiveRings},
	{Name: "adaptive_block", Counter: adaptiveCounter, load: loadAdaptiveBlock},
}
