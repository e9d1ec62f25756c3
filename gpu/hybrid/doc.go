// Package hybrid aligns batches of pairs on every GPU of a machine and on its
// CPU. Start with [Open].
//
// An [Engine] has a team (team.go): each GPU with the CPU as its fallback
// (fallback.go), and with [Auto] the CPU itself. Its members take batches from one
// queue:
//
//	plan   the CPU alone takes an input that it finishes within about a second, and no
//	       GPU is opened; otherwise it rests while GPUs are opened, and beside them if
//	       it is much slower or if the host is what limits them, since reading,
//	       packing and writing need its threads (outlook.go, hostwatch.go)
//	deal   a batch goes to the member that would finish it first, by the work that
//	       the members hold and by the rates measured so far; the CPU takes as many
//	       as keep its threads busy (deal.go, member.go, meter.go)
//	work   the work of a batch follows from its lengths and from the scores of
//	       earlier pairs of such lengths (work.go)
//	race   a member without work aligns what another one would finish later, and
//	       the first result counts, so that no engine is waited for longer than
//	       another one would have needed (race.go)
//
// GPUs join the team when they are open. A pair gets the same result from every engine, so
// results do not depend on any of this.
//
// Fallbacks are reported: [Stats] counts pairs by engine and by cause, and [Status]
// gives the reason for each GPU that is not used. A GPU that fails while it aligns
// ends the batch with a [*GPUError].
package hybrid
