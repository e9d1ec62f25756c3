// Any penalties, any length: one block has a pair, wavefronts of 32-bit offsets
// lie in global memory.
//
// The block is a worker with rowStride words of memory of its own:
//
//	D ring, I ring   e + 1 rows each, by score mod e + 1
//	M rows           scores only: a ring of lookback + 1 rows
//	                 else a segment: lookback rows before it, then its rows
//	checkpoints      each lookback rows of M and both gap rings
//	scratch          elements of the alignment under way
//
// with lookback = max(x, o + e). A row has `width` cells, the pair's diagonals
// from its lowest on. When a segment is full, its last rows are saved as a
// checkpoint and a new one is begun. The traceback starts in the last segment;
// when it needs a score before it, the segment before is computed again from
// its checkpoint. So an alignment of score s needs O(s^1.5) memory and at most
// twice the time, and comes out the same as from all rows.
//
// The range of diagonals of a score is what gaps can have reached within it, cut
// at the corners of the matrix; cells are clamped to the end of their diagonal.
#include "cigar.cuh"
#include "match.cuh"
#include "penalties.cuh"

static const int nothing = -(1 << 30);

struct General {
	int x, o, e, lookback;
	int width, segmentRows;
	const u32 *text, *pattern;
	int textLength, patternLength;
	int lowest, highest; // diagonals
	int *del, *ins, *rows, *saved;
	int segment; // first score of the rows in memory

	__device__ __forceinline__ int low(int s) const { return s < 0 ? 1 : max(-reach(s, o, e), lowest); }
	__device__ __forceinline__ int high(int s) const { return s < 0 ? 0 : min(reach(s, o, e), highest); }

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

	// row computes the rows of score s > 0 and reports whether this thread
	// found the end cell reached.
	__device__ bool row(int s) const {
		const int lo = low(s), hi = high(s);
		const int loX = low(s - x), hiX = high(s - x), loO = low(s - o - e), hiO = high(s - o - e);
		const int loE = low(s - e), hiE = high(s - e);
		const int *mx = s >= x ? mRow(s - x) : nullptr, *mo = s >= o + e ? mRow(s - o - e) : nullptr;
		const int *de = s >= e ? gapRow(del, s - e) : nullptr, *ie = s >= e ? gapRow(ins, s - e) : nullptr;
		int *m = mRow(s), *d = gapRow(del, s), *i = gapRow(ins, s);
		bool ended = false;
		for (int k = lo + (int)threadIdx.x; k <= hi; k += blockDim.x) {
			const int end = min(textLength, patternLength + k);
			int a = k > loO && k - 1 <= hiO ? mo[k - 1] : nothing;
			if (k > loE && k - 1 <= hiE) a = max(a, de[k - 1]);
			a = min(a + 1, end);
			int b = k + 1 >= loO && k < hiO ? mo[k + 1] : nothing;
			if (k + 1 >= loE && k < hiE) b = max(b, ie[k + 1]);
			b = min(b, end);
			int c = k >= loX && k <= hiX ? mx[k] + 1 : nothing;
			c = extend(max(min(c, end), max(a, b)), k);
			d[k] = a;
			i[k] = b;
			m[k] = c;
			ended = ended || (k == textLength - patternLength && c >= textLength);
		}
		return ended;
	}

	// first writes the rows of score 0 and what no score has written: gap rows
	// of scores before s = e are read as if they had been.
	__device__ bool first() const {
		bool ended = false;
		if (threadIdx.x == 0) {
			const int h = extend(0, 0);
			mRow(0)[0] = h;
			gapRow(del, 0)[0] = gapRow(ins, 0)[0] = nothing;
			ended = textLength == patternLength && h == textLength;
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
		// A row has room for the diagonals that any score here can reach.
		const int r = reach(limit, g.o, g.e);
		g.lowest = -min(p.patternLength, r);
		g.highest = min(p.textLength, r);
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
			trace.k = p.textLength - p.patternLength;
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
