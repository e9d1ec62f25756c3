package align

// flanks finds the ends of a pair that are nearly free of errors, such as those of a HiFi read
// that crosses a structural variant. From either end an alignment is followed from run to run of
// equal letters, as greedy does, up to where the letters differ on all diagonals around. The
// pair is cut in long runs, where any good alignment passes:
//
//	pattern  |==== before ====|~~~ middle ~~~|==== behind ====|
//	text     |==== before ====|~~~~~~~~ middle ~~~~~~~|==== behind ====|
//
// The two alignments may overlap: of a stretch that one sequence has twice, both claim the single
// copy. The cuts are where neither has come to what the other one claims, so that all of the
// stretch is in the middle.
//
// Letters near a long gap may also be aligned inside it, where short runs of them are found by
// chance, at the cost of opening the gap again and again. That pays where it saves an error, as
// far from the gap as spare tells: for the default penalties 20 letters. If opening a gap costs
// nothing, a part of the gap's own length.
type flanks struct {
	fore, back    flank
	pattern, text sequence // back to front
	spare         int      // letters between a cut and the middle; negative if opening a gap is free
}

// flank is the alignment from one end.
type flank struct {
	greedy
	runs  []flankRun
	noisy bool // at its very start, as a read with many errors is
}

// flankRun is a run of n equal letters from pattern letter v on, on diagonal k, behind an alignment
// of some cost.
type flankRun struct{ v, k, n, cost int }

// cell is a cell of the matrix: v pattern letters and h text letters come before it.
type cell struct{ v, h int }

const (
	chanceRun    = 10   // letters of a run that a long gap has by chance, and more
	flankLetters = 64   // equal letters of a run in which a pair may be cut
	flankAhead   = 64   // letters to pass in search of a diagonal nearby
	flankErrors  = 8    // errors, at most,
	flankWindow  = 128  // in so many letters
	flankRate    = 48   // letters, on average, for each of more errors in a clean flank
	flankTurns   = 3    // errors of several letters that make a read noisy
	flankStart   = 96   // letters at the start in which they are counted
	flankSure    = 256  // letters that confirm a diagonal
	flankShare   = 4    // flanks are at least a part of the shorter sequence: one in flankShare,
	flankMiddle  = 2048 // or all of it but so many letters and a long gap's if they are not clean
)

func newFlanks(k *kernels, pen Penalties) *flanks {
	g := greedy{kern: k, pen: pen}
	return &flanks{fore: flank{greedy: g}, back: flank{greedy: g}, spare: spareLetters(pen)}
}

// spareLetters returns how far from a long gap an error may be for which the gap is opened again.
func spareLetters(pen Penalties) int {
	if pen.GapOpen == 0 {
		return -1
	}
	return chanceRun * ((pen.LongestStep() + pen.GapOpen - 1) / pen.GapOpen)
}

// find returns the two cells at which the pair is cut and about what the flanks cost, and reports
// whether these are a good part of the pair. They are not if the pair has few errors all along, nor
// if there is no long gap between them and more than most letters.
func (f *flanks) find(pattern, text *sequence, most int) (before, behind cell, costs [2]int, ok bool) {
	n, m := pattern.n, text.n
	clean := f.fore.follow(pattern, text)
	first := f.fore.end()
	if first == (cell{n, m}) || f.fore.noisy {
		return before, behind, costs, false
	}
	reverseInto(f.pattern.guarded(n, patternPad), pattern.letters())
	reverseInto(f.text.guarded(m, textPad), text.letters())
	clean = f.back.follow(&f.pattern, &f.text) && clean
	last := f.back.end()
	spare := f.spare
	if spare < 0 {
		spare = abs(m-n) / 2
	}
	before, costs[0] = f.fore.cut(cell{n - last.v - spare, m - last.h - spare})
	behind, costs[1] = f.back.cut(cell{n - first.v - spare, m - first.h - spare})
	covered := min(before.v, before.h) + min(behind.v, behind.h)
	behind = cell{n - behind.v, m - behind.h}
	least := min(n, m) / flankShare
	if !clean {
		least = max(least, min(n, m)-abs(m-n)-flankMiddle)
	}
	v, h := behind.v-before.v, behind.h-before.h
	middle := min(v, h)
	// The diagonals of a read with errors wander.
	if abs(h-v) <= junctionGap+middle/32 && middle > most {
		return before, behind, costs, false
	}
	return before, behind, costs, covered >= least
}

// follow follows the alignment as long as it has few errors, and reports whether it is clean. In a
// repeat it may go astray at an error of several letters, so runs behind one count only if it goes
// on for long.
func (f *flank) follow(pattern, text *sequence) bool {
	f.start(pattern, text)
	f.runs = f.runs[:0]
	f.note(f.v)
	turn, doubt := -flankSure, 0 // the last such error, and the first of those close together
	turns := 0
	f.noisy = false
	for f.v < f.m && f.v+f.k < f.n {
		from := f.v
		f.errors = append(f.errors, int32(from))
		if i := len(f.errors) - flankErrors - 1; i >= 0 && from-int(f.errors[i]) < flankWindow {
			f.leave(int(f.errors[i]))
			break
		}
		if !f.oneLetter() {
			if !f.ahead(2) && !f.ahead(16) {
				break
			}
			if from-turn >= flankSure {
				doubt = from
			}
			turn = from
			if turns++; turns == flankTurns && from < flankStart {
				f.noisy = true
				break
			}
		}
		f.note(f.v - from)
	}
	if f.v-turn < flankSure {
		f.leave(doubt)
	}
	return (len(f.errors)-flankErrors)*flankRate <= f.v
}

// leave drops the runs that begin at pattern letter v or later.
func (f *flank) leave(v int) {
	for n := len(f.runs); n > 0 && f.runs[n-1].v >= v; n-- {
		f.runs = f.runs[:n-1]
	}
}

// ahead looks for a word of the pattern on the diagonals around, at ever larger steps, which grow by
// one part of the way in so many.
func (f *flank) ahead(part int) bool {
	for ahead := 1; ahead <= flankAhead && f.v+ahead+greedyWord <= f.m; ahead += 1 + ahead/part {
		if f.around(f.v + ahead) {
			return true
		}
	}
	return false
}

// note records the run that has just been passed, at the end of so many letters, if it is long.
func (f *flank) note(letters int) {
	if letters < flankLetters {
		return
	}
	n := matchesBefore(f.pattern, f.text, f.v, f.v+f.k)
	if n >= flankLetters {
		f.runs = append(f.runs, flankRun{f.v - n, f.k, n, f.cost})
	}
}

func (f *flank) end() cell { return cell{f.v, f.v + f.k} }

// cut returns the last cell not beyond limit that is in the middle part of a long run, or the
// first cell of all, and the cost of the alignment that leads there.
func (f *flank) cut(limit cell) (c cell, cost int) {
	for i := len(f.runs) - 1; i >= 0; i-- {
		r := f.runs[i]
		v := min(r.v+r.n-flankLetters/2, limit.v, limit.h-r.k)
		if v >= r.v+flankLetters/2 {
			return cell{v, v + r.k}, r.cost
		}
	}
	return c, 0
}
