package whole

import "context"

// parts are the measurements by name.
var parts = map[string]func(*Session, context.Context) error{
	"commands":          (*Session).commands,
	"batches":           (*Session).batches,
	"mixed":             (*Session).mixed,
	"huge":              (*Session).huge,
	"small":             (*Session).small,
	"gpus":              (*Session).gpus,
	"pair-of-processes": (*Session).processes,
	"interrupt":         (*Session).interrupt,
	"memory":            (*Session).memory,
}

// Parts lists the names, in the order of a complete run.
func Parts() []string {
	return []string{"small", "huge", "commands", "batches", "mixed", "pair-of-processes", "interrupt", "memory", "gpus"}
}
