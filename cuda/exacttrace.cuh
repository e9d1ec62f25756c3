// The path of an exact alignment. It follows matches from the current position, also if
// the M cell of the diagonal is further.
#pragma once
#include "traceback.cuh"

// ExactState is the state of an exact traceback.
struct ExactState {
	CigarWriter cigar;
	int s, k, h;
	bool on;
	int next;     // next candidate to try; earlier ones do not fit
	bool arrived; // at score 0, or without a pair
	bool wrong;   // no candidate fits: a bug

	// begin takes the positions at which the alignment ends.
	__device__ __forceinline__ void begin(const CigarWriter &c, int score, int patternEnd, int textEnd, bool live) {
		cigar = c;
		s = score;
		k = textEnd - patternEnd;
		h = textEnd;
		on = live;
		next = 0;
		arrived = wrong = false;
	}

	// failed ends the alignment and reports whether what is written is none. With free ends, the positions at
	// which it begins in the pattern and in the text come first, if this thread writes.
	template <bool FREE = false> __device__ __forceinline__ bool failed(bool writes = false) {
		if (!FREE) return wrong || cigar.full || h != 0 || k != 0;
		cigar.flush();
		if (wrong || cigar.full || h != k || cigar.at - cigar.room < 2) return true;
		if (writes) {
			*--cigar.at = (u32)h;
			*--cigar.at = 0;
		}
		return false;
	}
};

// ExactPath is the path through rows with the methods cell and there.
template <class ROWS> struct ExactPath : ExactState {
	const u32 *text, *pattern;
	ROWS rows;

	__device__ __forceinline__ int cell(bool on, int s, int k) const { return rows.cell(on, s, k); }
	__device__ __forceinline__ int look(const Params &a, const Candidate &c, int) const {
		return cell(true, c.score(a, s), c.diagonal(k));
	}
	__device__ __forceinline__ bool there(int s) const { return rows.there(s); }

	// A candidate fits if its cell has reached the position from which it leads to the start
	// of the matches.
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
		// The steps of a warp's pairs differ; the code for them is shared.
		const Candidate c = {step.number};
		cigar.add(c.operation(), max(c.length(), 1));
		s = c.score(a, s);
		k = c.diagonal(k);
		h -= c.columns();
		next = 0;
	}
};
