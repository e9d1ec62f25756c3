// The rows of a stripe, and its best end: see span.cuh.
#pragma once
#include "spanstripe.cuh"

template <int LANES, int COLUMNS, int GAPS, bool BEST, int BITS>
struct Span : SpanStripe<LANES, COLUMNS, GAPS, BEST, BITS> {
	typedef SpanStripe<LANES, COLUMNS, GAPS, BEST, BITS> Stripe;
	using Stripe::a;
	using Stripe::at;
	using Stripe::best;
	using Stripe::border;
	using Stripe::column;
	using Stripe::edge;
	using Stripe::eLast;
	using Stripe::feed;
	using Stripe::h;
	using Stripe::hLast;
	using Stripe::in;
	using Stripe::lane;
	using Stripe::last;
	using Stripe::left;
	using Stripe::letter;
	using Stripe::live;
	using Stripe::longLast;
	using Stripe::next;
	using Stripe::noteBest;
	using Stripe::pair;
	using Stripe::row0;
	using Stripe::row1;
	using Stripe::send;
	using Stripe::shifted;
	using Stripe::SpanStripe;
	using Stripe::state;
	using Stripe::store;
	using Stripe::stores;
	using Stripe::stripe;
	using Stripe::striped;
	using Stripe::strips;
	using Stripe::value0;
	using Stripe::value1;

	// rows computes TURN steps from t on, all rows of which are in the matrix; t is a multiple of the
	// store's period, and so is TURN.
	template <int TURN, int U = 0> __device__ __forceinline__ void rows(int t) {
		static_assert(TURN % Stripe::Store::period == 0, "");
		row<false, U % Stripe::Store::period>(t + U);
		if constexpr (U + 1 < TURN) rows<TURN, U + 1>(t);
	}

	// row computes step t: row t - b of strip b. AT is its row in the store's period if not MASKED.
	template <bool MASKED, int AT> __device__ __forceinline__ void row(int t) {
		u32 inH = __shfl_sync(~0u, hLast, left), inE = 0, inLong = 0;
		if constexpr (GAPS != gaps_linear) inE = __shfl_sync(~0u, eLast, left);
		if constexpr (GAPS == gaps_two) inLong = __shfl_sync(~0u, longLast, left);
		if (in == 0) {
			inH = feed[0];
			if constexpr (GAPS != gaps_linear) inE = inH << 16;
			if constexpr (GAPS == gaps_two) inLong = feed[1] << 16;
		}
		feed += edge;
		const u32 letters = next;
		next = *letter;
		u32 active = ~0u;
		if constexpr (MASKED) {
			const int i = t - 2 * in, n = pair.patternLength;
			active = (i >= 1 && i <= n ? 0xffffu : 0u) | (i >= 2 && i <= n + 1 ? 0xffff0000u : 0u);
			if (i < n) letter++;
			stores = live && t < n + strips;
		} else {
			letter++;
		}
		this->template step<MASKED>(inH, inE, inLong, letters, active);
		if constexpr (BEST) {
			const u32 most = maxHalves(this->greatest(), best), changed = most ^ best;
			best = most;
			if (changed & 0xffffu) row0 = t;
			if (changed >> 16) row1 = t;
		}
		if constexpr (striped) {
			if (lane == 31) {
				if constexpr (GAPS == gaps_linear)
					send[0] = hLast;
				else
					send[0] = __byte_perm(eLast, hLast, 0x7632);
				if constexpr (edge == 2) send[1] = longLast >> 16;
			}
			send += edge;
		}
		if constexpr (MASKED)
			store.alone(h, t, stores);
		else
			store.template next<AT>(h, stores);
	}

	// endInColumn looks whether an alignment that ends in the last column is better, in step t.
	__device__ __forceinline__ void endInColumn(int t) {
		const int b = (pair.textLength - 1) / COLUMNS - stripe * strips, i = t - b;
		if (!last || b >> 1 != in || i < max(pair.patternLength - a.patternEnd, 1) || i >= pair.patternLength) return;
		const int v = this->pick((pair.textLength - 1) % COLUMNS, b & 1) - shifted;
		column.take({spanWorth(a, v, i, pair.textLength), i, pair.textLength});
	}

	// endInRow returns the best end in the last row of a strip, from a column on; `first` is the
	// strip's first column.
	__device__ __forceinline__ SpanEnd endInRow(int first, int from, bool high) const {
		const int letter = a.potential - a.freeLetter, low = from - first, most = pair.textLength - first;
		int worth = noWorth, at = 0;
#pragma unroll
		for (int c = 0; c < COLUMNS; c++) {
			const int w = a.cellScale * (int)(high ? h[c] >> 16 : h[c] & 0xffffu) - letter * c;
			if (w > worth && c >= low && c <= most) {
				worth = w;
				at = c;
			}
		}
		if (worth == noWorth) return {noWorth, 0, 0};
		const int n = pair.patternLength;
		return {worth - a.cellScale * shifted - letter * (n + first), n, first + at};
	}

	// end returns the best end in the stripe, to one lane. With BEST its column is a strip.
	__device__ __forceinline__ SpanEnd end() {
		const int n = pair.patternLength, m = pair.textLength, first = stripe * strips + 2 * in;
		SpanEnd e = column;
		if constexpr (BEST) {
			noteBest();
			e = {0, 0, 0}; // the empty alignment
			if (value0 > 0) e.take({a.cellScale * value0, row0 - 2 * in, first});
			if (value1 > 0) e.take({a.cellScale * value1, row1 - 2 * in - 1, first + 1});
		} else {
			const int from = m - min(a.textEnd, m);
			if (stripe == 0 && from == 0) e.take({spanWorth(a, border.left(n), n, 0), n, 0});
			if (last && a.patternEnd >= n) e.take({spanWorth(a, border.top(m), 0, m), 0, m});
			e.take(endInRow(first * COLUMNS + 1, from, false));
			e.take(endInRow((first + 1) * COLUMNS + 1, from, true));
		}
#pragma unroll
		for (int d = 1; d < LANES; d *= 2) {
			SpanEnd o;
			o.worth = __shfl_xor_sync(~0u, e.worth, d);
			o.row = __shfl_xor_sync(~0u, e.row, d);
			o.column = __shfl_xor_sync(~0u, e.column, d);
			e.take(o);
		}
		return e;
	}

	// finish writes the pair's result, or keeps what later stripes need.
	__device__ __forceinline__ void finish() {
		SpanEnd e = end();
		if (!live || in != 0) return;
		if constexpr (striped) {
			SpanState *s = (SpanState *)state();
			if (stripe > 0) e.take({__ldcg(&s->worth), __ldcg(&s->row), __ldcg(&s->column)});
			if (!last) {
				s->worth = e.worth;
				s->row = e.row;
				s->column = e.column;
			}
		}
		if (last)
			a.results[at] = {a.freeLetter * (pair.patternLength + pair.textLength) - e.worth, (u32)e.row, (u32)e.column,
			                 0};
	}
};
