// A group of lanes that computes the band of a pair, and its events: see gotoh.cuh.
#pragma once
#include "gotohcells.cuh"
#include "gotohedges.cuh"
#include "gotohletters.cuh"
#include "gotohoutside.cuh"
#include "gotohstore.cuh"

template <int LANES, int COLUMNS, bool STORE, bool BLOCK, bool FREE> struct Gotoh {
	typedef GotohStore<STORE, COLUMNS> Store;
	static constexpr int period = COLUMNS + 1; // steps between changes of strips
	static constexpr bool edged = !FREE && gotohWide(LANES, COLUMNS), rimmed = FREE && gotohWide(LANES, COLUMNS);
	const Params &a;
	const int unit; // costs count so many times
	const GotohCosts costs;
	GotohOutside &outside;
	int lane, warp, warps; // warps of the group
	int in, lanes;         // this lane's place in the group, the group's lanes
	int left;              // the lane to the left, in the warp

	u32 scores0[COLUMNS], scores1[COLUMNS]; // of the four letters in each column, by strip
	u32 h[COLUMNS], f[COLUMNS];
	u32 hLast, hBefore, eLast; // H of the last column and of the left strip's, E beyond the last column
	u32 fromLeft;              // halves whose left strip is in the group
	u32 edgeH, edgeE;          // what the other halves take instead
	u32 edgeFall;              // what these change by from step to step
	u32 border; // least H of the last column in rows ahead of the last one, since a strip has come, as of the last of these
	const u8 *letter0, *letter1;
	u32 next0, next1; // letters of the next row
	Store store;

	// Of the pair.
	Task pair;
	int at;              // its number, negative for none
	int begin, end;      // steps of its row 0 and after its last one
	int strip;           // the next one to come
	int change;          // step of its coming
	bool detach;         // it has come in the last step
	int shifted;         // sum of all shifts
	int zero;            // value of the first cell, without a shift
	int moving, movesAt; // the next strip whose coming moves the rims, and the step before which it does
	int zone;            // GotohRims::zone
	int edge, edgeAt;    // the next strip that GotohEdges tells of, and the step of its coming
	GotohBand band;
	// With free ends: the strips that have row 0, the step in which the first of those with the last row has
	// it, and the best end in this lane.
	int tops, bottom;
	GotohEnd best;

	__device__ __forceinline__ int strips() const { return 2 * lanes; }
	__device__ __forceinline__ bool mine(int b) const { return b % strips() >> 1 == in; }
	static __device__ __forceinline__ u32 half(int b) { return b & 1 ? 0xffff0000u : 0xffffu; }

	__device__ __forceinline__ Gotoh(const Params &params, GotohOutside *shared)
	    : a(params), unit(!STORE && rimmed && params.edgeWords != 0 ? 2 : 1), costs(params, unit),
	      outside(shared[BLOCK || !rimmed ? 0 : (threadIdx.x & 31) / LANES]), store(params.rows) {
		lane = threadIdx.x & 31;
		warp = BLOCK ? threadIdx.x >> 5 : 0;
		warps = BLOCK ? blockDim.x >> 5 : 1;
		in = BLOCK ? threadIdx.x : lane & (LANES - 1);
		lanes = BLOCK ? blockDim.x : LANES;
		left = BLOCK ? (lane - 1) & 31 : (lane & ~(LANES - 1)) | ((lane - 1) & (LANES - 1));
		at = -1;
		begin = end = change = never;
		detach = false;
		shifted = tops = 0;
		zero = gotohLeast;
		bottom = never - 1;
		movesAt = edgeAt = never;
		moving = edge = zone = 0;
		border = gotohNones;
		best = {never, 0};
		pair = {nullptr, nullptr, 0, 0, 0, 0};
		letter0 = letter1 = (const u8 *)a.rows;
		next0 = next1 = 0;
		clear(~0u);
		fromLeft = ~0u;
		edgeH = edgeE = edgeFall = 0;
		hLast = hBefore = eLast = gotohNones;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) scores0[c] = scores1[c] = 0;
	}

	// clear removes the cells of halves.
	__device__ __forceinline__ void clear(u32 halves) {
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			h[c] = (h[c] & ~halves) | (gotohNones & halves);
			f[c] = (f[c] & ~halves) | (gotohNones & halves);
		}
	}

	// load sets the scores of strip b.
	__device__ __forceinline__ void load(int b, bool high) {
		const int last = (pair.textLength - 1) >> 4, from = b * COLUMNS;
		const int shift = (from & 15) * 2;
		int w = from >> 4;
		u32 word = __ldg(pair.text + min(w, last));
#pragma unroll
		for (int c0 = 0; c0 < COLUMNS; c0 += 16) {
			const u32 after = __ldg(pair.text + min(++w, last));
			const u32 v = __funnelshift_l(after, word, shift);
			word = after;
#pragma unroll
			for (int c = c0; c < c0 + 16 && c < COLUMNS; c++) {
				const int k = 27 - 2 * (c - c0); // three bits below the letter
				const u32 letter = 0xffu << ((k < 0 ? v << (k < 0 ? -k : 0) : v >> (k < 0 ? 0 : k)) & 24);
				const u32 scores = (costs.mismatch & ~letter) | (costs.match & letter);
				scores0[c] = high ? scores0[c] : scores;
				scores1[c] = high ? scores : scores1[c];
			}
		}
	}

	// start makes `number` the pair of the group, from step `now` on. Its row 0 comes later, so
	// that all strips of a warp change in the same steps.
	__device__ __forceinline__ void start(int number, int now) {
		store.flush(end);
		store.stop();
		at = number;
		if (rimmed && in == 0) outside.leave();
		if (at >= a.count) {
			at = -1;
			begin = end = change = movesAt = edgeAt = never;
			detach = false;
			bottom = never - 1;
			return;
		}
		pair = a.tasks[at];
		band = GotohBand::of(a, pair, at, strips(), COLUMNS, FREE);
		if (a.brokenSeeds != 0) band.take(a, pair, *gotohLeaving(a, at), FREE);
		const int apart = (band.above - 1 - now) % period, delay = BLOCK || LANES == 32 ? 0
		                                                           : apart < 0          ? apart + period
		                                                                                : apart;
		begin = now + delay;
		end = begin + pair.patternLength + (pair.textLength - 1) / COLUMNS + 1;
		strip = strips();
		shifted = 0;
		if constexpr (FREE) {
			// Strips that come before their row 0 have it, too.
			tops = min(max(strips(), (band.above - 1) / COLUMNS + 1), (pair.textLength - 1) / COLUMNS + 1);
			zero = gotohLeast + ((tops * COLUMNS * extend() + 255) & ~255);
			int least = (pair.patternLength - band.below - 2) / COLUMNS; // strip with the band's part of the last row
			// With rims, all cells of strips that do not leave are of the band.
			if (rimmed && a.edgeWords != 0) least = min(least, (pair.textLength - 1) / COLUMNS + 1 - strips());
			bottom = begin + pair.patternLength + max(least, 0);
			best = {never, 0};
		}
		change = strip * COLUMNS >= pair.textLength ? never : begin + 1 - band.above + strip * period;
		if (band.certified < 0) { // the end cell is outside
			end = begin + 1;
			change = never;
			bottom = never - 1;
		}
		movesAt = edgeAt = never;
		detach = false;
		if (edged && a.edgeWords != 0) findEdges();
		if (rimmed && gotohLooked(a, at)) beginRims();
		u32 *memory = a.rows + (u64)at * a.rowStride;
		spreadLetters((uint4 *)memory, pair, gotohPad(lanes, COLUMNS), in, lanes);
		store.start(memory + a.letterWords, pair, lanes, in, begin);
		letter0 = (const u8 *)memory + gotohPad(lanes, COLUMNS) - delay - 1 - 2 * in;
		letter1 = letter0 - 1;
		load(2 * in, false);
		load(2 * in + 1, true);
		clear(~0u);
		hLast = hBefore = eLast = gotohNones;
		fromLeft = ~0u;
		edgeH = edgeE = edgeFall = 0;
	}

	// open and extend are what the opening and a letter of a gap cost here.
	__device__ __forceinline__ int open() const { return unit * a.gapOpen; }
	__device__ __forceinline__ int extend() const { return unit * a.gapExtend; }

	// enter sets what column 1 of the group's first strip takes from column 0 in the first
	// rows. From row 2 on it does not change.
	__device__ __forceinline__ void enter(int row) {
		if (row == 0) store.begin();
		if (in != 0) return;
		const u32 first = (u32)(zero + shifted), open = (u32)this->open();
		fromLeft = 0xffff0000u;
		edgeE = row == 0 ? first + open : first + 2 * open;
		edgeH = row == 0 ? gotohNone : row == 1 ? first : first + open;
	}

	// The first strips have row 0 one after the other, in the steps from the first on.
	__device__ __forceinline__ bool inTop(int t) const { return FREE && t > begin && t - begin <= tops; }
	// top sets row 0 of the strip that has it, in the step before step t: the letters before a free begin
	// cost nothing.
	__device__ __forceinline__ void top(int t) {
		const int b = t - begin - 1;
		if (!mine(b)) return;
		const u32 halves = half(b), first = (u32)(zero + shifted - (b * COLUMNS + 1) * extend());
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			const u32 v = (first - (u32)(c * extend())) * 0x10001u;
			h[c] = (h[c] & ~halves) | (v & halves);
			f[c] = (f[c] & ~halves) | ((v + costs.open) & halves);
		}
		hLast = h[COLUMNS - 1];
	}

	// The last strips have the last row one after the other, in the last steps.
	__device__ __forceinline__ bool inBottom(int t) const { return FREE && t > bottom; }
	// ends looks for the best end in the last row of the strip that has it, in the step before step t.
	__device__ __forceinline__ void ends(int t) {
		const int b = t - begin - 1 - pair.patternLength, from = b * COLUMNS + 1;
		if (!mine(b)) return;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			const int v = (int)(b & 1 ? h[c] >> 16 : h[c] & 0xffffu), j = from + c;
			const int score = v - shifted - zero + extend() * (pair.patternLength + j);
			if (v < gotohLive && j <= pair.textLength) best.take({score, j});
		}
	}
	// bestEnd makes each lane's best end that of its group. All lanes of the warps call it.
	__device__ __forceinline__ void bestEnd(GotohEnd *ofWarps) {
#pragma unroll
		for (int d = 1; d < LANES; d *= 2)
			best.take({__shfl_xor_sync(~0u, best.score, d), __shfl_xor_sync(~0u, best.column, d)});
		if constexpr (BLOCK) {
			if (lane == 0) ofWarps[warp] = best;
			__syncthreads();
			for (int w = 0; w < warps; w++) best.take(ofWarps[w]);
		}
	}

	// findEdges prepares what is stored of the edges.
	__device__ __forceinline__ void findEdges() {
		const GotohEdges edges(a, pair, band, strips(), COLUMNS);
		if (edges.count == 0) return;
		edge = edges.first;
		edgeAt = begin + edges.step(edge);
		border = gotohNones;
	}

	// keepEdge stores values of the edges before step `now`, in which a strip comes.
	__device__ __forceinline__ void keepEdge(int now) {
		const GotohEdges edges(a, pair, band, strips(), COLUMNS);
		int *values = gotohEdges(a, at) + (edge - edges.first) * GotohEdges::words;
		// The places before `behind` have the strips from `turn` on.
		const int behind = edge % strips(), turn = edge - behind;
		u32 last = h[0]; // the least H of the last row, as of the last column
#pragma unroll
		for (int c = 1; c < COLUMNS; c++) last = addMinHalves(last, costs.fall, h[c]);
#pragma unroll
		for (int k = 0; k < 2; k++) {
			const int place = 2 * in + k, b = turn + place - (place < behind ? 0 : strips()), row = now - 1 - begin - b;
			const int zeros = a.gapExtend * (row + (b + 1) * COLUMNS) - shifted - zero;
			if (b == edges.rim(0, edge)) values[0] = edgeValue(border, k, zeros - a.gapExtend);
			if (b == edges.rim(1, edge)) values[1] = edgeValue(last, k, zeros);
			if (b == edges.innerStrip(0, edge)) values[2] = edgeValue(hLast, k, zeros);
			if (b == edges.innerStrip(1, edge)) values[3] = edgeValue(hLast, k, zeros);
		}
		border = gotohNones;
		edge++;
		edgeAt = now + period < end ? now + period : never;
	}
	// edgeValue is H of a half.
	static __device__ __forceinline__ int edgeValue(u32 v, int k, int zeros) {
		const int value = (int)(k == 0 ? v & 0xffffu : v >> 16);
		return value < gotohLive ? value + zeros : noEdge;
	}

	// beginRims prepares the rims of a pair that are looked at.
	__device__ __forceinline__ void beginRims() {
		const GotohRims rims(a, pair, band, strips(), COLUMNS);
		moving = rims.first;
		movesAt = isLate(moving) ? never : begin + rims.step(moving);
		border = gotohNones;
		zone = rims.zone;
		if (in == 0) outside.begin(a, pair, rims, *gotohSums(a, at) == 2);
		fetchRims(rims.step(moving) - 1);
	}
	// fetchRims fetches what the next move needs. Before it, the last row of strip b is `last` - b.
	__device__ __forceinline__ void fetchRims(int last) {
		if (in >= 2) return;
		outside.fetch(in, RimSums(a, pair, at), last - returner(in, isLate(moving)), last - departer(in) - (in == 0));
	}
	// departer is the strip from which alignments depart before strip `moving` comes, the last one with inner cells on the right, and
	// the first one without any after that on the left. returner is the one into which they return, and beside the one next to that:
	// of `late`, see isLate.
	__device__ __forceinline__ int departer(int side) const {
		return side == 0 ? moving - 1 - zone : moving - strips() + zone;
	}
	__device__ __forceinline__ int returner(int side, bool late) const {
		return side == 0 ? moving : (late ? strip - 1 : moving) - strips();
	}

	// valueOf returns H of a half in a last column, in a row of strip b, noCost for none.
	__device__ __forceinline__ int valueOf(u32 v, int b, int row) const {
		const int value = (int)(b & 1 ? v >> 16 : v & 0xffffu);
		return value < gotohLive ? value + extend() * (row + (b + 1) * COLUMNS) - shifted - zero : (int)noCost;
	}
	// doubled returns a cost as those of rims are.
	__device__ __forceinline__ int doubled(int cost) const { return cost < noCost ? 2 / unit * cost : (int)noCost; }
	// returned returns one of these as a cost less than it.
	__device__ __forceinline__ int returned(int cost) const { return unit == 1 ? (cost - 1) >> 1 : (cost - 1) | 1; }

	// depart notes what departs before step `now`, in which the rims move. There is nothing on the right if no more strips come, and what
	// is on the left then has departed before.
	__device__ __forceinline__ void depart(int last) {
		const int right = departer(0), left = departer(1), row = last - left;
		if (mine(right) && right >= 0 && last - right - 1 < pair.patternLength + COLUMNS)
			outside.departs[0] = doubled(valueOf(border, right, last - right - 1));
		if (mine(left) && left >= 0 && row >= 0 && row < pair.patternLength) {
			u32 least = h[0]; // of the last row, as of the last column
#pragma unroll
			for (int c = 1; c < COLUMNS; c++) least = addMinHalves(least, costs.fall, h[c]);
			int cost = valueOf(least, left, row);
			if (left == 0) cost = min(cost, open() + extend() * last); // from column 0, too
			outside.departs[1] = doubled(cost);
		}
	}
	// tell finds whether what is stored of the cells next to what returns tells that: differences of up to 128. On the right, a cell
	// next to others in the last column costs one letter of a gap more than what returns above it, or more.
	__device__ __forceinline__ void tell(int last, bool late) {
		const int right = late ? -1 : moving - 1, left = (late ? strip : moving) - strips();
		if (right >= 0 && mine(right)) tellBeside(0, valueOf(hLast, right, last - right), extend());
		if (left < 0 || !mine(left)) return;
		int cost = valueOf(late ? h[0] : hLast, left, last - left);
		if (late && cost < noCost) cost -= extend() * (COLUMNS - 1); // the first column
		tellBeside(1, cost, -extend() - open());
	}
	__device__ __forceinline__ void tellBeside(int side, int cost, int less) {
		const int returns = outside.returns[side];
		if (returns < noCost && cost < noCost && doubled(cost) - returns > 2 * 126 + doubled(less))
			outside.untold = true;
	}

	// moveRims finds what has departed and what returns before step `now`, for groups whose rims move. All lanes of the warp call it. Two
	// lanes of a group have a side each.
	__device__ __forceinline__ bool moveRims(int now) {
		const bool moves = now == movesAt, late = isLate(moving);
		const int last = now - 1 - begin; // row of strip b: last - b
		if (moves) {
			if (!late) depart(last);
			border = gotohNones;
		}
		wait();
		if (moves && in < 2) {
			const int row = last - returner(in, late);
			outside.update(in, row >= 0 && row < pair.patternLength && !(in == 0 ? late : moving < strips()));
		}
		wait();
		if (moves) {
			if (STORE && !GotohRims::near(a, COLUMNS)) tell(last, late);
			moving++;
			movesAt = now + period;
			if (isLate(moving) && last + period - strip + 1 + strips() >= pair.patternLength) movesAt = never;
			fetchRims(last + period);
		}
		return moves;
	}
	// isLate reports whether there is no strip k to come.
	__device__ __forceinline__ bool isLate(int k) const { return k * COLUMNS >= pair.textLength; }
	// wait makes what lanes of a group share known to all.
	__device__ __forceinline__ void wait() const {
		if constexpr (BLOCK)
			__syncthreads();
		else
			__syncwarp();
	}

	// lowest returns the least value of what returns in step `now`, in which the rims have moved.
	__device__ __forceinline__ int lowest(int now) const {
		int low = gotohLive;
		if (outside.returns[0] < noCost) low = min(low, aboveValue(now) - extend() * (COLUMNS - 1));
		if (outside.returns[1] < noCost) low = min(low, leftValue(now) - extend() * COLUMNS);
		return low;
	}
	// aboveValue is what returns above the first cell of the strip whose coming has moved the rims in step `now`, and leftValue what does
	// from the left of the leftmost strip, above its first row without a neighbour there.
	__device__ __forceinline__ int aboveValue(int now) const {
		const int b = moving - 1, row = now - 1 - begin - b;
		return returned(outside.returns[0]) - extend() * (row + b * COLUMNS + 1) + shifted + zero;
	}
	__device__ __forceinline__ int leftValue(int now) const {
		const int b = (isLate(moving - 1) ? strip : moving) - 1 - strips(), row = now - 1 - begin - b;
		return returned(outside.returns[1]) - extend() * (row + (b + 1) * COLUMNS) + shifted + zero;
	}

	// returnEarly has what returns in step `now` in the last row of a strip that has been there from the begin: its cells so far are
	// outside of those that the band has later on.
	__device__ __forceinline__ void returnEarly(int now) {
		const int b = moving - 1;
		if (!mine(b) || outside.returns[0] >= noCost) return;
		const u32 halves = half(b);
		const int first = aboveValue(now);
		if (first >= gotohLive - open()) return;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			const u32 v = (u32)(first - c * extend()) * 0x10001u | ~halves;
			h[c] = minHalves(h[c], v);
			f[c] = minHalves(f[c], v + (costs.open & halves)); // at most what others are
		}
		hLast = (hLast & ~halves) | (h[COLUMNS - 1] & halves);
		eLast = minHalves(eLast, (hLast + costs.open) | ~halves);
	}
	// enterAbove sets what there is above the strip that comes in step `now`: what returns, or nothing.
	__device__ __forceinline__ void enterAbove(u32 halves, int now) {
		int first = gotohLive;
		if (rimmed && outside.returns[0] < noCost) first = aboveValue(now);
		if (first >= gotohLive - open()) { // too much for the alignment
			clear(halves);
			return;
		}
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			const u32 v = (u32)(first - c * extend()) * 0x10001u;
			h[c] = (h[c] & ~halves) | (v & halves);
			f[c] = (f[c] & ~halves) | ((v + costs.open) & halves);
		}
	}
	// returnFromLeft sets what returns from the left of the strip `strip`, V strips back, from step `now` on.
	__device__ __forceinline__ void returnFromLeft(u32 halves, int now) {
		const int b = strip - strips(), row = now - 1 - begin - b; // above the row of this step
		const int first = returned(outside.returns[1]) - extend() * (row + b * COLUMNS) + shifted + zero;
		if (first >= gotohLive - open()) return;
		edgeH = (edgeH & ~halves) | ((u32)first * 0x10001u & halves);
		edgeE = (edgeE & ~halves) | ((u32)(first - extend() + open()) * 0x10001u & halves);
		edgeFall = costs.fall & halves;
	}
	// returnLate has what returns from the left of the leftmost strip from step `now` on, when no more strips come.
	__device__ __forceinline__ void returnLate(int now) {
		if (!mine(strip)) return;
		const u32 halves = half(strip);
		edgeH = (edgeH & ~halves) | (gotohNones & halves);
		edgeE = (edgeE & ~halves) | (gotohNones & halves);
		edgeFall &= ~halves;
		if (outside.returns[1] < noCost) returnFromLeft(halves, now);
	}
	// come makes the place of the strip that has left the band that of the next one. Its right
	// neighbour still takes one row from the old strip.
	__device__ __forceinline__ void come(int now) {
		if (mine(strip)) {
			const bool high = strip & 1;
			const u32 halves = half(strip);
			load(strip, high);
			enterAbove(halves, now);
			fromLeft |= halves;
			edgeH &= ~halves;
			edgeE &= ~halves;
			edgeFall &= ~halves;
			// Strips lag behind the ones to their left.
			if (high) {
				letter1 -= strips();
				next1 = *letter1;
			} else {
				letter0 -= strips();
				next0 = *letter0;
			}
		}
		strip++;
		detach = true;
		change = strip * COLUMNS >= pair.textLength ? never : now + period;
	}

	// part separates the right neighbour of the strip that has come.
	__device__ __forceinline__ void part(int now) {
		if (mine(strip)) {
			const u32 halves = half(strip);
			fromLeft &= ~halves;
			edgeH = (edgeH & ~halves) | (gotohNones & halves);
			edgeE = (edgeE & ~halves) | (gotohNones & halves);
			if (rimmed && outside.returns[1] < noCost) returnFromLeft(halves, now);
		}
		border = gotohNones; // without the last row of the strip that was there
		detach = false;
	}

	// finish reports the score of the pair: a result if it is certified and counts,
	// otherwise as an upper bound, with its slack if the band does not certify the bound.
	__device__ __forceinline__ void finish() {
		GotohEnd e = {never, pair.textLength};
		if constexpr (FREE) {
			if (in != 0) return;
			e = best;
			e.take({open() + extend() * pair.patternLength, 0});
		} else {
			const int b = (pair.textLength - 1) / COLUMNS;
			if (!mine(b)) return;
			u32 cell = 0;
#pragma unroll
			for (int c = 0; c < COLUMNS; c++) pickCell(cell, (pair.textLength - 1) % COLUMNS, c, h[c]);
			cell = b & 1 ? cell >> 16 : cell & 0xffffu;
			e.score = (int)cell - shifted - gotohLeast + extend() * (pair.patternLength + pair.textLength);
		}
		const bool odd = e.score % unit != 0;
		e.score /= unit;
		if (FREE && a.brokenSeeds != 0) gotohLeaving(a, at)->column = e.column;
		if (rimmed && gotohLooked(a, at)) {
			report(e, odd);
			return;
		}
		const int slack = gotohSlack(a, at, e.score, band.within, FREE);
		if (band.certified < 0)
			a.results[at] = {-1, 0, 0, 0};
		else if (e.score > band.bound)
			a.results[at] = {-1, (u32)e.score, band.certified < GotohBand::wanted(a, pair) ? (u32)slack : 0u, 0};
		else // not all tell how wide a band they need
			result(e, a.brokenSeeds != 0 && (!rimmed || a.edgeWords == 0) ? gotohShare(slack, e.score) : 0u);
	}
	__device__ __forceinline__ void result(const GotohEnd &e, u32 flags) const {
		a.results[at] = {e.score, FREE ? (u32)pair.patternLength : 0u, FREE ? (u32)e.column : 0u, flags};
	}

	// report reports the score of a pair whose rims have been looked at: a result, or a lower bound of its score, which is none
	// for alignments that leave the band. The traceback tells which, or `odd` if costs are doubled.
	__device__ __forceinline__ void report(const GotohEnd &e, bool odd) const {
		const int wanted = GotohBand::wanted(a, pair);
		// A score above is a lower bound, unless what returns has been left out: then more of it is likely to be enough.
		if (e.score > wanted && !outside.lost) {
			a.results[at] = {-1, (u32)(outside.told ? e.score : e.score + e.score / 64 + 4), 0, 0};
			return;
		}
		// Alignments may end on the left.
		const RimSums sums(a, pair, at);
		const int all = sums.all(1) - outside.loss;
		const bool leaves = odd || outside.untold || outside.lost || outside.rims[1].costs(all, 0) <= 2 * e.score ||
		                    (outside.begins && all <= 2 * e.score);
		int enough = sums.enough(a, pair, e.score, outside.loss);
		// The alignment may end further from the middle of the band than is likely.
		const int apart = abs(e.column - pair.patternLength - (band.above - band.below) / 2);
		if (!outside.told) enough += max(apart - (band.radius - band.half), 0);
		if (!leaves && !outside.told) enough = min(enough, max(band.half, rimLeast));
		const int slack = min(gotohSlack(a, at, e.score, band.within, true), GotohBand::slackOf(a, enough, true));
		if (leaves && !outside.told)
			a.results[at] = {-1, (u32)wanted, (u32)gotohWider(a, band, slack, wanted - e.score), 0};
		else
			result(e, gotohShare(max(slack - e.score / 255, 0), e.score)); // a share that is not rounded up
	}

	// least returns the least value of a cell of the group.
	__device__ __forceinline__ int least(int *ofWarps) const {
		u32 low = h[0];
#pragma unroll
		for (int c = 1; c < COLUMNS; c++) low = minHalves(low, h[c]);
		int v = (int)min(low & 0xffffu, low >> 16);
#pragma unroll
		for (int d = 1; d < LANES; d *= 2) v = min(v, __shfl_xor_sync(~0u, v, d));
		if constexpr (BLOCK) {
			if (lane == 0) ofWarps[warp] = v;
			__syncthreads();
			for (int w = 0; w < warps; w++) v = min(v, ofWarps[w]);
		}
		return v;
	}

	// shift brings the least value near gotohLeast, before step t: of cells, and what returns. The low bits that are stored stay.
	__device__ __forceinline__ void shift(int t, int *ofWarps, int returning) {
		int low = least(ofWarps);
		if (rimmed && returning < low) {
			if (low - returning + 2 * (extend() * strips() * COLUMNS + open()) <= gotohRange) {
				low = returning;
			} else if (in == 0) {
				outside.lost = true;
				outside.returns[0] = outside.returns[1] = noCost;
			}
		}
		if (FREE && t - begin <= tops) low = min(low, gotohLeast + shifted); // what row 0 will have
		const int by = low < gotohLive ? (gotohLeast - low) & ~255 : 0;
		shifted += by;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			h[c] = shiftedHalves(h[c], by);
			f[c] = shiftedHalves(f[c], by);
		}
		hLast = shiftedHalves(hLast, by);
		hBefore = shiftedHalves(hBefore, by);
		eLast = shiftedHalves(eLast, by);
		if (edged || rimmed) border = shiftedHalves(border, by);
		if (fromLeft != ~0u) {
			edgeH = shiftedHalves(edgeH, by) & ~fromLeft;
			edgeE = shiftedHalves(edgeE, by) & ~fromLeft;
		}
	}

	// row computes a row of each strip in step t, after which lines may be stored.
	__device__ __forceinline__ void row(int t, bool stored, uint2 (*border)[BLOCK ? gotohWarps : 1]) {
		u32 inH = __shfl_sync(~0u, hLast, left), inE = __shfl_sync(~0u, eLast, left);
		if constexpr (BLOCK) {
			if (lane == 0) {
				const uint2 v = border[(t & 1) ^ 1][warp == 0 ? warps - 1 : warp - 1];
				inH = v.x;
				inE = v.y;
			}
		}
		step(inH, inE);
		if (STORE && stored) store.line(t, h, f, lanes);
		if constexpr (BLOCK) {
			if (lane == 31) border[t & 1][warp] = make_uint2(hLast, eLast);
			__syncthreads();
		}
	}

	// step computes a row of each strip. inH and inE come from the lane to the left.
	__device__ __forceinline__ void step(u32 inH, u32 inE) {
		if (edged || rimmed) border = addMinHalves(border, costs.fall, hLast);
		inH = __byte_perm(inH, hLast, 0x5432);
		inE = __byte_perm(inE, eLast, 0x5432);
		u32 diagonal = (hBefore & fromLeft) | edgeH, e = (inE & fromLeft) | edgeE;
		if (rimmed) {
			edgeH = addMinHalves(edgeH, edgeFall, ~0u);
			edgeE = addMinHalves(edgeE, edgeFall, ~0u);
		}
		hBefore = inH;
		const u32 letters = next1 * 256 + next0 + 0xc480u; // the scores of a letter, with copies of the sign
		letter0++;
		letter1++;
		next0 = *letter0;
		next1 = *letter1;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			const u32 t = addMinHalves(diagonal, permuteSigned(scores0[c], scores1[c], letters), f[c]);
			diagonal = h[c];
			h[c] = minHalves(t, e);
			e = addMinHalves(t, costs.open, e);
			f[c] = addMinHalves(h[c], costs.open, f[c]);
		}
		hLast = h[COLUMNS - 1];
		eLast = e;
		store.step(hLast, eLast);
	}
};
