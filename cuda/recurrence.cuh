// The recurrence, and one cell of it with 32-bit offsets: general.cuh and
// adaptiveblock.cu compute all cells by it. wavefronts.cuh has the recurrence for two
// 16-bit offsets a word in registers.
//
// M, I and D are wavefronts: offsets, which are text positions, by score s and diagonal
// k, text position less pattern position. I consumes the pattern, D the text. del and
// ins are the gap wavefronts before the shift by one diagonal:
//
//	del[s] = max(M[s-o-e], D[s-e])   D[s,k] = del[s,k-1] + 1
//	ins[s] = max(M[s-o-e], I[s-e])   I[s,k] = ins[s,k+1]
//	M[s,k] = extend(max(M[s-x,k] + 1, D[s,k], I[s,k]))
//
// del[s+e] = max(M[s-o], D[s]) is computed along with M[s]. Cells are clamped to the
// end of their diagonal. Source: WFA, Marco-Sola et al., Bioinformatics 2021; WFA-GPU,
// Aguado-Puig et al., Bioinformatics 2023, equation 1. Package align has the same form.
#pragma once
#include "match.cuh"

// nullOffset is the offset of a null cell, one that no alignment reaches. Adding a
// score to it leaves it negative.
static const int nullOffset = -(1 << 30);

// Cell is the result of a score on one diagonal: M, and the gap wavefronts of e scores
// later.
struct Cell {
	int m, del, ins;
};

// Sequences are a pair's packed bases and their lengths.
struct Sequences {
	const u32 *text, *pattern;
	int textLength, patternLength;

	// extend follows matches from offset h of diagonal k, null or not.
	__device__ __forceinline__ int extend(int h, int k) const {
		if (h < 0) return h;
		const int most = min(textLength - h, patternLength - h + k);
		return h + matchesFrom(text, pattern, h, h - k, most);
	}

	// cell computes diagonal k, which ends at last, from M of scores s - x and s - o on
	// the same diagonal, and del and ins of score s - e on the neighbouring ones. If
	// opening is free, M of score s itself opens the gap.
	__device__ __forceinline__ Cell cell(int k, int last, int mismatched, int opened, bool openIsFree, int deleted,
	                                     int inserted) const {
		const int d = min(deleted + 1, last), i = min(inserted, last);
		const int m = extend(min(max(mismatched + 1, max(d, i)), last), k);
		if (openIsFree) opened = m;
		return {m, max(opened, d), max(opened, i)};
	}
};
