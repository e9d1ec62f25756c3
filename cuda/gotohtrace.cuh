// Traceback of gotoh.cuh. A thread traces a pair back. It follows matches by the letters, and looks
// only at the cells from which errors may lead, in patches that it recomputes: gotohpatch.cuh. The threads of a warp
// compute patches at the same time.
//
// The step back from a cell is that of the rule of traceback.cuh: a mismatch, else the shortest gap, an insertion before a
// deletion. The values of neighbouring cells differ by at most o + e, so their low bits tell the value
// of a cell from that of its neighbour.
//
// With free ends, two elements come before an alignment in Params::cigars: the positions at which it
// begins in the pattern, 0, and in the text.
//
// Shared memory: that of gotohpatch.cuh. Limits: those of gotoh.cuh.
#pragma once
#include "exacttrace.cuh"
#include "gotohpatch.cuh"
#include "gotohrims.cuh"
#include "tracetask.cuh"

// GotohPath is the path through the cells of a pair.
template <bool FREE> struct GotohPath : ExactState {
	// What the path looks for: the error that ends at its cell, or where the insertion or the deletion begins.
	enum Search { error, insertion, deletion };
	static constexpr int beyond = -1, none = 0; // a gap begins outside of the patch, or there is none

	GotohPatch<FREE> patch;
	Search search;
	bool along;     // matches come first
	bool either;    // the insertion may be a deletion
	int n, most;    // letters of the gap that is looked at, and the most
	int beside;     // cost of the cell at which one of a letter less begins
	Search instead; // what is taken if the gap has more,
	int letters;    // of so many letters; 0: nothing

	template <class TASK> __device__ __forceinline__ GotohPath(const Params &a, const TASK &t, u32 *memory)
	    : patch(a, t, memory) {
		search = instead = error;
		along = true;
		either = false;
		n = most = beside = letters = 0;
	}

	__device__ __forceinline__ int row() const { return h - k - (search == insertion ? n : 0); }
	__device__ __forceinline__ int column() const { return h - (search == deletion ? n : 0); }
	// gapFrom returns the cost of the cell at which a gap of some letters begins.
	__device__ __forceinline__ int gapFrom(const Params &a, int gap) const { return s - a.gapOpen - a.gapExtend * gap; }

	// needs reports whether the cell that the path looks at is not in the patch.
	__device__ __forceinline__ bool needs() const {
		return on && !along && row() > 0 && column() > 0 && !patch.has(row(), column());
	}

	// advance goes on until the path ends or needs a patch.
	__device__ __forceinline__ void advance(const Params &a) {
		while (on && !needs()) {
			int found = 0; // letters of the step back
			if (along)
				match();
			else if (search == error)
				found = look(a);
			else
				found = reach(a);
			if (found > 0) take(a, found);
		}
	}

	// match takes the matches before the cell.
	__device__ __forceinline__ void match() {
		const int matches = matchesBefore(patch.text, patch.pattern, h, h - k);
		cigar.add(opMatch, matches);
		h -= matches;
		on = s != 0;
		along = false;
	}

	// inserted returns the letters of the shortest insertion of `gap` letters or more that ends at the cell, if it begins
	// in the patch or beside it, else beyond or none. v is the cost of the cell at which one of a letter less begins.
	// It becomes that of the last cell that was looked at.
	__device__ __forceinline__ int inserted(const Params &a, int i, int j, int gap, int &v) const {
		for (;; gap++) {
			v = patch.at(i - gap, j, v);
			if (v == gapFrom(a, gap)) return gap;
			if (v == patch.never || i == gap) return none;
			if (i - gap == patch.top) return v + patch.gapAbove(j) + a.gapExtend * (gap - 1) == s ? beyond : none;
		}
	}
	// deleted does the same for a deletion of fewer than `less` letters.
	__device__ __forceinline__ int deleted(const Params &a, int i, int j, int gap, int less, int &v) const {
		for (; gap < less; gap++) {
			v = patch.at(i, j - gap, v);
			if (v == gapFrom(a, gap)) return gap;
			if (v == patch.never || j == gap) return none;
			if (j - gap == patch.from)
				return gap + 1 < less && v + patch.gapBefore(i) + a.gapExtend * (gap - 1) == s ? beyond : none;
		}
		return none;
	}

	// look looks for the error that ends at the cell, which the patch has. It returns the letters of the step back, or 0 if
	// a gap begins outside of the patch.
	__device__ __forceinline__ int look(const Params &a) {
		const int i = h - k, j = h;
		if (i == 0 || j == 0) return found(i == 0 ? deletion : insertion, i + j); // the border's gap
		if (s >= a.mismatch && patch.at(i - 1, j - 1, s - a.mismatch) == s - a.mismatch) return 1;
		int above = s, before = s, gap = 1;
		for (const int edge = min(i - patch.top, j - patch.from); gap < edge; gap++) {
			above = patch.within(i - gap, j, above);
			if (above == gapFrom(a, gap)) return found(insertion, gap);
			before = patch.within(i, j - gap, before);
			if (before == gapFrom(a, gap)) return found(deletion, gap);
		}
		const int up = inserted(a, i, j, gap, above), left = deleted(a, i, j, gap, up > 0 ? up : j + 1, before);
		if (left > 0 && (up != beyond || left <= i - patch.top)) return found(deletion, left);
		if (up == none && left == none) return fail();
		if (up > 0 && left == none) return found(insertion, up);
		const bool upwards = up == beyond;
		search = upwards ? insertion : deletion;
		n = 1 + (upwards ? i - patch.top : j - patch.from);
		beside = upwards ? above : before;
		either = upwards && left == beyond;
		instead = upwards ? deletion : insertion;
		letters = upwards ? max(left, 0) : up;
		most = letters == 0 ? upwards ? i : j : upwards ? letters : letters - 1;
		return 0;
	}

	// reach looks whether the gap begins at the cell, which the patch has or a border. It returns the letters of the
	// step back that is found.
	__device__ __forceinline__ int reach(const Params &a) {
		const int i = row(), j = column();
		beside = patch.at(i, j, beside);
		if (beside == gapFrom(a, n)) {
			if (!either) return n;
			// A deletion that has fewer letters comes first.
			either = false;
			instead = insertion;
			letters = n;
			search = deletion;
			most = n - 1;
			n = 0;
			beside = s;
		} else if (i == 0 || j == 0) {
			most = n;
		}
		if (++n <= most) return 0;
		return letters > 0 ? found(instead, letters) : fail();
	}

	__device__ __forceinline__ int found(Search step, int of) {
		search = step;
		return of;
	}
	__device__ __forceinline__ int fail() {
		wrong = true;
		on = false;
		return 0;
	}

	// take takes the step back that has been found.
	__device__ __forceinline__ void take(const Params &a, int of) {
		cigar.add(search == error ? opMismatch : search == insertion ? opIns : opDel, of);
		s -= search == error ? a.mismatch : a.gapOpen + a.gapExtend * of;
		k += search == insertion ? of : search == deletion ? -of : 0;
		h -= search == insertion ? 0 : of;
		along = true;
		search = error;
		if (s < 0) fail();
	}
};

// gotohLeaves is the result of a pair whose rims have been looked at and for which no alignment in the band has the score: an upper
// bound of that of its task, and the slack of a wider band.
template <bool FREE> __device__ __forceinline__ Result gotohLeaves(const Params &a, const TraceTask<1> &t) {
	const int at = (int)(t.result - a.results);
	const GotohBand band = GotohBand::of(a, t.task, at, 2 * a.pairThreads, a.pairWords, FREE);
	const int slack = (int)((float)(t.result->flags >> flagSlackShift & 255u) * (float)t.score / 255.0f) + 1;
	const int wanted = GotohBand::wanted(a, t.task);
	return {-1, (u32)wanted, (u32)gotohWider(a, band, slack, wanted - t.score), 0};
}

template <bool FREE> __device__ __forceinline__ void traceGotoh(const Params &a) {
	__shared__ u32 memory[GotohPatch<FREE>::words * gotohTracers];
	const TraceTask<1> t(a, roomOf<FREE>);
	// Where scores of the launch are above their bounds, there may be no room for an alignment: the score tells how much it takes.
	if (!FREE && !t.on && t.score >= 0) *t.result = {-1, (u32)t.score, 0, flagNoRoom};
	GotohPath<FREE> path(a, t, memory);
	path.begin(t.writer(), t.score, t.task.patternLength, t.template textEnd<FREE>(), t.on);
	while (__any_sync(~0u, path.on)) {
		path.advance(a);
		if (!path.needs()) continue;
		path.patch.compute(path.row(), path.column());
		if (path.needs()) path.fail(); // the band lacks the cell
	}
	const bool failed = path.template failed<FREE>(t.writes);
	const int at = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	if (FREE && failed && t.writes && gotohLooked(a, at) &&
	    *gotohSums(a, at) == 1) // the score is that of alignments which leave the band
		*t.result = gotohLeaves<FREE>(a, t);
	else
		t.report(a, path.cigar, failed);
}
