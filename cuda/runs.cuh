// An alignment of a pair of few errors that follows runs of equal letters: an upper bound of the score, and
// where the pair may be divided. A warp aligns a pair.
//
// Behind a run, wavefronts of 32 diagonals pass the errors to the next long run, or else a word of the
// pattern is looked for on the diagonals around, or anywhere in the rest of the text.
#pragma once
#include "fronts.cuh"

// Run is a run of equal letters: of the pattern those from..to-1, on diagonal k.
struct Run {
	int from, to, k;
	int cost;        // of the alignment before it
	int first, last; // sums of gates before the run and behind it, gates.cuh
	u32 seeds;       // a bit for each of its last 32 words that is a seed
	int most;        // of last over the runs before
};
static_assert(sizeof(Run) == 32, "gatedRun of gpu/internal/kernel");

// Runs follows an alignment. FREE: that of the pattern within the text, whose letters before it and behind it
// cost nothing.
template <bool FREE> struct Runs {
	typedef Fronts<false, FREE> Lanes;
	static constexpr int equal = 20;   // letters that prove errors before them,
	static constexpr int word = 16;    // and letters that prove another diagonal
	static constexpr int errors = 8;   // most that wavefronts pass
	static constexpr int back = 16;    // letters of the run before them, in which a gap may be
	static constexpr int passes = 72;  // letters of both sequences to pass where there is no long run
	static constexpr int always = 32;  // errors that are always allowed,
	static constexpr int rate = 24;    // and pattern letters for each further one
	static constexpr int near = 24;    // diagonals to either side that are tried first
	static constexpr int ahead = 2048; // letters to pass in search of a word,
	static constexpr int ahead0 = 64;  // of which so many before diagonals far away are tried
	static constexpr int scans = 8;    // of whole sequences
	static constexpr int places = 6;   // words that show where the pattern may begin,
	static constexpr int sure = 48;    // letters of a run that need no other one

	Lanes &lanes;
	Pair pair;
	Run *runs;
	int most;  // runs that there is room for
	int count; // of runs, more than most if there is no room
	int v, k;  // where the alignment is
	int from;  // where the run begins that ends there
	int cost;
	int scanned;

	__device__ __forceinline__ int gap(int n) const { return n == 0 ? 0 : lanes.o + n * lanes.e; }

	__device__ __forceinline__ void add(int begin, int end, int diagonal) {
		if (count < most && lanes.lane() == 0) {
			Run &r = runs[count];
			r.from = begin, r.to = end, r.k = diagonal, r.cost = cost;
		}
		count++;
	}

	// follow reports whether the alignment comes to the end of the pair with few errors. The last run, perhaps
	// an empty one, ends there.
	__device__ __forceinline__ bool follow() {
		count = v = k = from = cost = scanned = 0;
		if (FREE && !locate()) return false;
		for (;;) {
			v += pair.run(v, v + k);
			add(from, v, k);
			if (v == pair.n || v + k == pair.m) break;
			if (count > always + v / rate) return false;
			if (!oneLetter() && !few() && !search()) {
				const int a = pair.n - v, h = v + k, b = FREE ? min(pair.m - h, a) : pair.m - h;
				if (min(a, b) > ahead0) return false;
				cost += worst(a, b);
				v = pair.n, k = h + b - v;
				add(v, v, k);
				return true;
			}
		}
		const int a = pair.n - v, b = FREE ? 0 : pair.m - v - k;
		if (a > 0 || b > 0) {
			cost += gap(a) + gap(b);
			add(pair.n, pair.n, pair.m - pair.n);
		}
		return true;
	}

	// locate finds the diagonal on which a pattern may begin, by the longest run of its first words in the text:
	// not further away than the lengths say, if there is one.
	__device__ __forceinline__ bool locate() {
		int longest = 0;
#pragma unroll 1
		for (int at = 0; at < 2 * places * word && longest == 0; at += word) {
			const bool far = at >= places * word;
			const int from = far ? at - places * word : at, drift = from / 8 + min(from, 4);
			const int slack = far ? pair.n / 8 + places * word : near;
			if (from + word > pair.n) continue;
			const int end = min(pair.m, max(0, pair.m - pair.n) + from + slack + word);
#pragma unroll 1
			for (int h = max(0, from - drift); longest < sure; h++) {
				h = find(pair.text, h, end, sixteen(pair.pattern, from));
				if (h < 0) break;
				const int run = pair.run(from, h);
				if (run <= longest) continue;
				longest = run, k = max(h - from, 0);
			}
		}
		return longest > 0;
	}

	// worst is the largest score of sequences of some lengths.
	__device__ __forceinline__ int worst(int a, int b) const {
		return min(lanes.x * min(a, b) + gap(abs(a - b)), gap(a) + gap(b));
	}

	// oneLetter passes a mismatch, a deletion or an insertion of one letter before a long run, or before an end.
	// A lane looks at each.
	__device__ __forceinline__ bool oneLetter() {
		const int which = lanes.lane(), toV = which == 1 ? v : v + 1, toH = which == 2 ? v + k : v + k + 1;
		int run = 0;
		if (which < 3) {
			run = pair.matches(toV, toH);
			if (run == 16) run += pair.matches(toV + 16, toH + 16);
		}
		const u32 found = __ballot_sync(~0u, which < 3 && (run >= equal || toV + run == pair.n || toH + run == pair.m));
		if (found == 0) return false;
		const int first = __ffs((int)found) - 1;
		cost += first == 0 ? lanes.x : gap(1);
		if (first != 1) v++;
		if (first != 0) k += first == 1 ? 1 : -1;
		from = v;
		return true;
	}

	// few passes errors close to each other by wavefronts. It follows the first that has a long run, or
	// comes to an end, or else the last one if that has passed letters enough.
	__device__ __forceinline__ bool few() {
		const int each = (lanes.x + 2 * (lanes.o + lanes.e) + 2) / 3; // of an error
		const int bound = min(errors * each, lanes.mostScore);
		const int begin = v - min(back, v - from), h = begin + k;
		const int n = min(pair.n - begin, Lanes::mostLetters), m = min(pair.m - h, Lanes::mostLetters);
		lanes.begin(begin, h, n, m, 0, fixedEnds);
#pragma unroll 1
		for (int s = 1; s <= bound; s++) {
			const int at = lanes.step(s);
			const int diagonal = lanes.lane() + lanes.first;
			int far = at < 0 ? -1 : (2 * at - diagonal) << 5 | lanes.lane();
#pragma unroll
			for (int o = 16; o > 0; o >>= 1) far = max(far, __shfl_xor_sync(~0u, far, o));
			if (far < 0) continue;
			const int l = far & 31, to = __shfl_sync(~0u, at, l), run = __shfl_sync(~0u, lanes.last, l);
			const int d = l + lanes.first;
			const bool end = to == m || to - d == n;
			if ((far >> 5) - 2 * (v - begin) < equal && !end) continue;
			if (run < equal && !end && !(s == bound && (far >> 5) - 2 * (v - begin) >= passes)) continue;
			v = begin + to - d;
			k += d;
			from = v - run;
			cost += s;
			return true;
		}
		return false;
	}

	// search looks for a word of the pattern on the diagonals around, the more of them the further on, and
	// soon anywhere. The alignment goes on from there.
	__device__ __forceinline__ bool search() {
		int toV = 0, toK = 0;
		bool tried = false;
#pragma unroll 1
		for (int i = 1;; i += 1 + i / 4) {
			const bool within = i <= ahead && v + i + word <= pair.n;
			if (!tried && (i > ahead0 || !within)) {
				tried = true;
				if (anywhere(toV, toK)) break;
			}
			if (!within) return false;
			if (around(v + i, near + i / 8, toK)) {
				toV = v + i;
				break;
			}
		}
		move(toV, toK);
		return true;
	}

	// around finds the nearest diagonal on which the text has the word at a pattern position.
	__device__ __forceinline__ bool around(int at, int reach, int &toK) const {
		const u32 letters = sixteen(pair.pattern, at);
#pragma unroll 1
		for (int i = lanes.lane(); i - lanes.lane() <= 2 * reach; i += 32) {
			const int d = k + ((i & 1) ? -((i + 1) / 2) : i / 2), h = at + d;
			const bool there = h >= v + k && h + word <= pair.m && sixteen(pair.text, h) == letters;
			const u32 found = __ballot_sync(~0u, there);
			if (found != 0) {
				toK = __shfl_sync(~0u, d, __ffs((int)found) - 1);
				return true;
			}
		}
		return false;
	}

	// anywhere looks for the next words of one sequence in the rest of the other one, and takes the nearer
	// diagonal.
	__device__ __forceinline__ bool anywhere(int &toV, int &toK) {
		const int h = v + k;
#pragma unroll 1
		for (int i = 0; i <= ahead0; i += word) {
			if (++scanned > scans) return false;
			int best = 0x7fffffff;
#pragma unroll 1
			for (int of = 0; of < 2; of++) { // a word of the pattern, then one of the text
				const int from = of == 0 ? v : h, at = of == 0 ? h : v, end = of == 0 ? pair.m : pair.n;
				if (from + i + word > (of == 0 ? pair.n : pair.m)) continue;
				const u32 *const in = of == 0 ? pair.text : pair.pattern;
				const int found = find(in, at, end, sixteen(of == 0 ? pair.pattern : pair.text, from + i));
				const int diagonal = of == 0 ? found - v - i : h + i - found;
				if (found < 0 || abs(diagonal - k) >= best) continue;
				toV = of == 0 ? v + i : found, toK = diagonal, best = abs(diagonal - k);
			}
			if (best < 0x7fffffff) return true;
		}
		return false;
	}

	// find returns where some letters begin first from a position on, -1 if nowhere.
	__device__ __forceinline__ int find(const u32 *bases, int begin, int end, u32 letters) const {
#pragma unroll 1
		for (int i = begin + lanes.lane(); i - lanes.lane() + word <= end; i += 32) {
			const u32 found = __ballot_sync(~0u, i + word <= end && sixteen(bases, i) == letters);
			if (found != 0) return i - lanes.lane() + __ffs((int)found) - 1;
		}
		return -1;
	}

	// move goes on from a position of the pattern on a diagonal, where letters are equal.
	__device__ __forceinline__ void move(int toV, int toK) {
		const int h = v + k, toH = toV + toK;
		// Back along the run, as far as both sequences have been used.
		const int run = min(matchesBefore(pair.text, pair.pattern, toH, toV), min(toV - v, toH - h));
		const int a = toV - run - v, b = toH - run - h, least = min(a, b);
		int different = least;
#pragma unroll 1
		for (int behind = 0; behind < 2; behind++) // the gap, or before it
			different = min(different, behind == 0 ? pair.mismatches(v, h, least)
			                                       : pair.mismatches(toV - run - least, toH - run - least, least));
		cost += gap(abs(a - b)) + lanes.x * different;
		from = toV - run, v = toV, k = toK;
	}
};
