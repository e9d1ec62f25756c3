// Any penalties, any length: one block has a pair, wavefronts of 32-bit offsets
// lie in global memory.
//
// The block is a worker with rowStride words of memory of its own:
//
//	del ring, ins ring   e + 1 rows each, by score mod e + 1
//	M rows               scores only: a ring of lookback + 1 rows
//	                     else a segment: lookback rows before it, then its rows
//	checkpoints          each lookback rows of M and both gap rings
//	scratch              elements of the alignment under way
//
// with lookback = max(x, o + e), and del and ins as in front.cuh. A row has
// `width` cells, a multiple of 4, the pair's diagonals from its lowest on.
// Threads compute four neighbouring diagonals at a time.
//
// When a segment is full, its last rows are saved as a checkpoint and a new one
// is begun. The traceback starts in the last segment; when it needs a score
// before it, the segment before is computed again from its checkpoint. So an
// alignment of score s needs O(s^1.5) memory and at most twice the time, and
// comes out the same as from all rows.
//
// The range of diagonals of a score is what gaps can have reached within it and
// from where they can still reach the end within the limit; cells are clamped
// to the end of their diagonal.
#include "cigar.cuh"
#include "match.cuh"
#include "penalties.cuh"

struct General {
	int x, o, e, lookback;
	int width, segmentRows;
	const u32 *text, *pattern;
	int textLength, patternLength;
	int end;             // diagonal of the end cell
	int lowest, highest; // diagonals that any score has
	int limit;
	int *del, *ins, *rows, *saved;
	int segment; // first score of the rows in memory

	// setRange bounds the diagonals: one that gaps reach by score s is of use
	// only if they lead from it to the end by the limit.
	__device__ __forceinline__ void setRange() {
		const int most = reach(limit, o, e);
		lowest = -min(patternLength, (most - end) / 2 + 1);
		highest = min(textLength, (most + end) / 2 + 1);
	}
	__device__ __forceinline__ int low(int s) const {
		return s < 0 ? 1 : max(max(-reach(s, o, e), lowest), end - (limit - s) / e);
	}
	__device__ __forceinline__ int high(int s) const {
		return s < 0 ? 0 : min(min(reach(s, o, e), highest), end + (limit - s) / e);
	}

	// mRow returns the M row of score s, indexed by diagonal.
	__device__ __forceinline__ int *mRow(int s) const {
		const int r = segmentRows > 0 ? s - segment + lookback : s % (lookback + 1);
		return rows + (long long)r * width - lowest;
	}
	__device__ __forceinline__ int *gapRow(int *ring, int s) const {
		return ring + (long long)(s % (e + 1)) * width - lowest;
	}

	__device__ __forceinline__ int extend(int h, int k) const {
		if (h < 0) return h;
		const int most = min(textLength - h, patternLength - h + k);
		return h + matchesFrom(text, pattern, h, h - k, most);
	}

	// Row is a row of some score, indexed by diagonal, with the range that it
	// was computed for, which is empty for scores below 0. Its cells are a
	// valid address even then: with null pointers in their place, nvcc 13.0
	// makes code that finds nothing in rows that are there.
	struct Row {
		int *cell;
		int low, high;
		__device__ __forceinline__ int get(int k) const {
			int h = nothing;
			if (k >= low && k <= high) h = cell[k];
			return h;
		}
		__device__ __forceinline__ bool holds(int from, int to) const { return from >= low && to <= high; }
	};
	__device__ __forceinline__ Row m(int s) const { return {mRow(max(s, 0)), low(s), high(s)}; }
	__device__ __forceinline__ Row gap(int *ring, int s) const {
		return {gapRow(ring, max(s, 0)), low(s), high(s)};
	}

	// cell computes diagonal k from the cells it depends on, and what the gap
	// fronts become. opened is M of score s - o on the same diagonal.
	__device__ __forceinline__ int cell(int k, int mismatched, int deleted, int inserted, int opened, int &d,
	                                    int &i) const {
		const int last = min(textLength, patternLength + k);
		const int a = deleted + 1, b = inserted;
		const int c = extend(min(max(mismatched + 1, max(a, b)), last), k);
		if (o == 0) opened = c;
		d = max(min(a, last), opened);
		i = max(min(b, last), opened);
		return c;
	}

	// row computes the rows of score s > 0 and reports whether this thread
	// found the end cell reached.
	__device__ bool row(int s) const {
		const int lo = low(s), hi = high(s);
		const Row mx = m(s - x), mo = m(o == 0 ? -1 : s - o), de = gap(del, s - e), in = gap(ins, s - e);
		int *mTo = mRow(s), *dTo = gapRow(del, s), *iTo = gapRow(ins, s);
		// Groups of four begin at multiples of four from the lowest diagonal.
		const int first = lowest + ((lo - lowest) & ~3);
		bool ended = false;
		for (int k = first + 4 * (int)threadIdx.x; k <= hi; k += 4 * blockDim.x) {
			int c[4], d[4], i[4];
			if (k >= lo && k + 3 <= hi && mx.holds(k, k + 3) && (o == 0 || mo.holds(k, k + 3)) &&
			    de.holds(k - 1, k + 3) && in.holds(k, k + 4)) {
				const int4 x4 = *(const int4 *)(mx.cell + k), d4 = *(const int4 *)(de.cell + k),
				           i4 = *(const int4 *)(in.cell + k);
				const int4 o4 = o == 0 ? x4 : *(const int4 *)(mo.cell + k);
				const int before = de.cell[k - 1], after = in.cell[k + 4];
				c[0] = cell(k, x4.x, before, i4.y, o4.x, d[0], i[0]);
				c[1] = cell(k + 1, x4.y, d4.x, i4.z, o4.y, d[1], i[1]);
				c[2] = cell(k + 2, x4.z, d4.y, i4.w, o4.z, d[2], i[2]);
				c[3] = cell(k + 3, x4.w, d4.z, after, o4.w, d[3], i[3]);
			} else {
#pragma unroll 1
				for (int q = 0; q < 4; q++) {
					const int j = k + q;
					int a, b;
					c[q] = cell(j, mx.get(j), de.get(j - 1), in.get(j + 1), mo.get(j), a, b);
					d[q] = a;
					i[q] = b;
				}
			}
			if (end >= k && end < k + 4 && end >= lo && end <= hi) {
				const int q = end - k;
				const int h = q == 0 ? c[0] : q == 1 ? c[1] : q == 2 ? c[2] : c[3];
				ended = h >= textLength;
			}
			*(int4 *)(mTo + k) = make_int4(c[0], c[1], c[2], c[3]);
			*(int4 *)(dTo + k) = make_int4(d[0], d[1], d[2], d[3]);
			*(int4 *)(iTo + k) = make_int4(i[0], i[1], i[2], i[3]);
		}
		return ended;
	}

	// first writes the rows of score 0: the origin alone.
	__device__ bool first() const {
		bool ended = false;
		if (threadIdx.x == 0) {
			const int h = extend(0, 0);
			mRow(0)[0] = h;
			gapRow(del, 0)[0] = gapRow(ins, 0)[0] = o == 0 ? h : nothing;
			ended = end == 0 && h == textLength;
		}
		return ended;
	}

	__device__ __forceinline__ long long savedSize() const { return (long long)(lookback + 2 * (e + 1)) * width; }

	__device__ void copy(int *to, const int *from, long long n) const {
		for (long long i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
	}

	// save keeps, as checkpoint number at, what scores from s on need: the
	// lookback rows before s and the gap rings.
	__device__ void save(int at, int s) const {
		int *to = saved + at * savedSize();
		const long long m = (long long)lookback * width, g = (long long)(e + 1) * width;
		copy(to, rows + (long long)(s - segment) * width, m);
		copy(to + m, del, g);
		copy(to + m + g, ins, g);
	}

	// load brings back what save has kept.
	__device__ void load(int at) const {
		const int *from = saved + at * savedSize();
		const long long m = (long long)lookback * width, g = (long long)(e + 1) * width;
		copy(rows, from, m);
		copy(del, from + m, g);
		copy(ins, from + m + g, g);
	}

	// costs reports whether cell h of diagonal k is reached with score s, whose
	// row is in memory.
	__device__ __forceinline__ bool costs(int s, int k, int h) const {
		if (s < 0 || h < 0 || h < k || k < low(s) || k > high(s)) return false;
		return mRow(s)[k] >= h;
	}
};

// Trace is a traceback that can stop where rows end and be taken up again.
struct Trace {
	CigarWriter c;
	int s, k, h;
	int l;      // 0: look for matches and a mismatch first; else the gap length to try next
	bool wrong; // no way back: a bug

	// run goes back while rows are in memory and reports whether it arrived.
	__device__ bool run(const General &g) {
		const int earliest = g.segment - g.lookback; // score of the first row in memory
		for (;;) {
			if (l == 0) {
				const int n = matchesBefore(g.text, g.pattern, h, h - k);
				c.add(opMatch, n);
				h -= n;
				if (s == 0) return true;
				if (s - g.x >= 0 && s - g.x < earliest) return false;
				if (g.costs(s - g.x, k, h - 1)) {
					c.add(opMismatch, 1);
					s -= g.x;
					h--;
					continue;
				}
				l = 1;
			}
			const int before = s - g.o - g.e * l;
			if (before < 0) {
				wrong = true;
				return true;
			}
			if (before < earliest) return false;
			if (g.costs(before, k + l, h)) {
				c.add(opIns, l);
				k += l;
			} else if (g.costs(before, k - l, h - l)) {
				c.add(opDel, l);
				k -= l;
				h -= l;
			} else {
				l++;
				continue;
			}
			s = before;
			l = 0;
		}
	}
};

extern "C" __global__ void __launch_bounds__(1024) wfa_general(const __grid_constant__ Params a) {
	__shared__ int taken, reached[2], arrived;
	__shared__ u32 place;
	__shared__ Trace trace; // thread 0's, kept across segments
	General g;
	g.x = a.mismatch;
	g.o = a.gapOpen;
	g.e = a.gapExtend;
	g.lookback = max(g.x, g.o + g.e);
	g.width = a.width;
	g.segmentRows = a.segmentRows;
	const long long ring = (long long)(g.e + 1) * g.width;
	const long long mRows = g.segmentRows > 0 ? g.lookback + g.segmentRows : g.lookback + 1;
	g.del = (int *)a.rows + blockIdx.x * a.rowStride;
	g.ins = g.del + ring;
	g.rows = g.ins + ring;
	g.saved = g.rows + mRows * g.width;
	u32 *scratch = (u32 *)(g.saved + a.checkpoints * g.savedSize());

	for (;;) {
		__syncthreads();
		if (threadIdx.x == 0) {
			taken = (int)atomicAdd(a.next, 1u);
			reached[0] = reached[1] = 0;
		}
		__syncthreads();
		if (taken >= a.count) return;
		const Task task = a.tasks[taken];
		const Pair p = a.pairs[task.pair];
		Result &result = a.results[task.pair];
		const int limit = min(task.limit, a.maxScore);
		g.text = a.bases + p.text;
		g.pattern = a.bases + p.pattern;
		g.textLength = p.textLength;
		g.patternLength = p.patternLength;
		g.end = p.textLength - p.patternLength;
		g.limit = limit;
		g.setRange();
		g.segment = 0;
		int segments = 0; // those before the one in memory

		bool ended = g.first();
		if (ended) reached[0] = 1;
		__syncthreads();
		int s = 0;
		bool found = reached[0] != 0, memory = true;
		while (!found && s < limit) {
			s++;
			if (g.segmentRows > 0 && s == g.segment + g.segmentRows) {
				if (segments == a.checkpoints) {
					memory = false;
					break;
				}
				g.save(segments, s);
				__syncthreads();
				g.load(segments);
				segments++;
				g.segment = s;
				__syncthreads();
			}
			if (g.row(s)) reached[s & 1] = 1;
			__syncthreads();
			found = reached[s & 1] != 0;
		}
		if (!found) {
			if (threadIdx.x == 0) {
				result.score = -1;
				if (!memory) result.flags |= flagMemory;
			}
			continue;
		}
		if (g.segmentRows == 0) {
			if (threadIdx.x == 0) result.score = s;
			continue;
		}

		if (threadIdx.x == 0) {
			trace.c.at = scratch + a.scratch;
			trace.c.room = scratch;
			trace.c.run = 0;
			trace.c.writes = true;
			trace.c.full = false;
			trace.s = s;
			trace.k = g.end;
			trace.h = p.textLength;
			trace.l = 0;
			trace.wrong = false;
		}
		for (;;) {
			if (threadIdx.x == 0) arrived = trace.run(g) ? 1 : 0;
			__syncthreads();
			if (arrived) break;
			segments--;
			const int end = g.segment;
			g.segment -= g.segmentRows;
			if (segments == 0) { // the first segment begins with score 0
				g.first();
			} else {
				g.load(segments - 1);
			}
			__syncthreads();
			for (int t = segments == 0 ? 1 : g.segment; t < end; t++) {
				g.row(t);
				__syncthreads();
			}
		}
		u32 n = 0;
		if (threadIdx.x == 0) {
			trace.c.flush();
			n = (u32)(scratch + a.scratch - trace.c.at);
			u32 flags = trace.wrong || trace.c.full || trace.h != 0 || trace.k != 0 ? (u32)flagTrace : 0u;
			place = atomicAdd(a.used, n);
			if ((u64)place + n > a.cigarCapacity) flags |= flagNoRoom;
			result.score = s;
			result.cigar = place;
			result.cigarLength = flags ? 0 : n;
			result.flags = result.flags & flagLetters | flags;
			reached[0] = flags ? 0 : (int)n;
		}
		__syncthreads();
		n = (u32)reached[0];
		const u32 *from = scratch + a.scratch - n;
		for (u32 i = threadIdx.x; i < n; i += blockDim.x) a.cigars[place + i] = from[i];
	}
}
