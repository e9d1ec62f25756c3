// The path of an exact alignment: it follows matches from the position reached,
// whichever cell of M lies there.
#pragma once
#include "traceback.cuh"

// ExactState is where an exact traceback stands.
struct ExactState {
	CigarWriter cigar;
	int s, k, h;
	bool on;
	int next;     // candidate to try, the earlier ones did not fit
	bool arrived; // at score 0, or nowhere
	bool wrong;   // no way back: a bug

	__device__ __forceinline__ void begin(const CigarWriter &c, int score, int end, int textLength, bool live) {
		cigar = c;
		s = score;
		k = end;
		h = textLength;
		on = live;
		next = 0;
		arrived = wrong = false;
	}

	// failed tells whether what has been written is no alignment.
	__device__ __forceinline__ bool failed() const { return wrong || cigar.full || h != 0 || k != 0; }
};

// ExactPath goes through rows that answer cell and there.
template <class ROWS> struct ExactPath : ExactState {
	const u32 *text, *pattern;
	ROWS rows;

	__device__ __forceinline__ int cell(bool on, int s, int k) const { return rows.cell(on, s, k); }
	__device__ __forceinline__ bool there(int s) const { return rows.there(s); }

	// A candidate has to get from its cell to where the matches begin.
	__device__ __forceinline__ bool fits(const Candidate &c, int cell, int matches) const {
		const int from = h - matches - c.columns();
		return cell >= from && from >= 0 && from >= c.diagonal(k);
	}

	__device__ __forceinline__ void take(const Params &a, const Step &step) {
		cigar.add(opMatch, step.matches);
		h -= step.matches;
		if (step.number < 0 || s == 0) {
			on = false;
			arrived = step.number != Step::missing;
			wrong = step.number == Step::stuck && s != 0;
			return;
		}
		// Pairs of a warp take different steps; what they do is the same.
		const Candidate c = {step.number};
		cigar.add(c.operation(), max(c.length(), 1));
		s = c.score(a, s);
		k = c.diagonal(k);
		h -= c.columns();
		next = 0;
	}
};
