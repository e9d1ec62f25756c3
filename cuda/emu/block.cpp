// Runs the threads of a block as fibers, and completes their collective calls.
#include "block.h"
#include "call.h"
#include "fiber.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

EmulatedIndex threadIdx, blockIdx, blockDim, gridDim;

namespace {

// Thread is a fiber and the call that it waits in.
struct Thread {
	Fiber fiber;
	bool exited;
	EmulatedCall call; // callNone: it may run
	EmulatedPlace place;
	unsigned mask, value, result;
	int n, width;
};

constexpr size_t stackBytes = 128 << 10;
constexpr size_t stackShift = 320;

Thread threads[mostThreads];
Fiber scheduler;
unsigned running; // the thread
char *stacks;

struct {
	void (*kernel)();
	const void *params;
	unsigned threads;
	Turns turns;
	char *error;
	unsigned errorSize;
} block;

const char *nameOf(EmulatedCall call) {
	switch (call) {
	case callNone: return "none";
	case callSyncWarp: return "__syncwarp";
	case callShuffle: return "__shfl_sync";
	case callShuffleUp: return "__shfl_up_sync";
	case callShuffleDown: return "__shfl_down_sync";
	case callShuffleXor: return "__shfl_xor_sync";
	case callBallot: return "__ballot_sync";
	case callSyncBlock: return "__syncthreads";
	case callSyncBlockOr: return "__syncthreads_or";
	}
	return "?";
}

const char *baseName(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool fail(const char *what, unsigned thread) {
	const Thread &t = threads[thread];
	if (t.call == callNone)
		snprintf(block.error, block.errorSize, "block %u, thread %u: %s", blockIdx.x, thread, what);
	else
		snprintf(block.error, block.errorSize, "block %u, thread %u at %s:%d in %s: %s", blockIdx.x, thread,
		         baseName(t.place.file), t.place.line, nameOf(t.call), what);
	return false;
}

bool together(const Thread &a, const Thread &b) {
	return a.call == b.call && a.place.line == b.place.line &&
	       (a.place.file == b.place.file || strcmp(a.place.file, b.place.file) == 0);
}

bool runnable(const Thread &t) { return !t.exited && t.call == callNone; }

void resume(Fiber &from, unsigned thread) {
	running = thread;
	threadIdx.x = thread;
	switchFiber(from, threads[thread].fiber);
}

// yield switches to the warp's next lane, or to the scheduler.
void yield() {
	Fiber &from = threads[running].fiber;
	const unsigned next = block.turns == turnsBackward ? running - 1 : running + 1;
	if (next / 32 == running / 32 && runnable(threads[next]))
		resume(from, next);
	else
		switchFiber(from, scheduler);
}

void enter() {
	emulatedKernel(block.kernel, block.params);
	threads[running].exited = true;
	yield();
	__builtin_trap();
}

// source returns the source lane of a lane's shuffle: its own if the source lies beyond
// the segment's ends.
unsigned source(const Thread &t, unsigned lane) {
	const int width = t.width, in = (int)lane & (width - 1), first = (int)lane - in;
	int from = in;
	switch (t.call) {
	case callShuffle: from = t.n & (width - 1); break;
	case callShuffleUp: from = in - t.n; break;
	case callShuffleDown: from = in + t.n; break;
	case callShuffleXor: from = in ^ t.n; break;
	default: break;
	}
	return (unsigned)(first + (from < 0 || from >= width ? in : from));
}

// completeAll completes a call that all lanes of a warp have made, as they mostly do.
void completeAll(Thread *warp) {
	switch (warp[0].call) {
	case callSyncWarp: break;
	case callBallot: {
		unsigned ballot = 0;
		for (unsigned lane = 0; lane < 32; lane++) ballot |= (unsigned)(warp[lane].value != 0) << lane;
		for (unsigned lane = 0; lane < 32; lane++) warp[lane].result = ballot;
		break;
	}
	default:
		for (unsigned lane = 0; lane < 32; lane++) warp[lane].result = warp[source(warp[lane], lane)].value;
	}
	for (unsigned lane = 0; lane < 32; lane++) warp[lane].call = callNone;
}

// complete completes the call of the lanes in mask, all of which have made it.
bool complete(unsigned first, unsigned mask) {
	const EmulatedCall call = threads[first + __builtin_ctz(mask)].call;
	unsigned ballot = 0;
	if (call == callBallot)
		for (unsigned lane = 0; lane < 32; lane++)
			if (mask >> lane & 1 && threads[first + lane].value) ballot |= 1u << lane;
	if (call != callSyncWarp)
		for (unsigned lane = 0; lane < 32; lane++) {
			if (!(mask >> lane & 1)) continue;
			Thread &t = threads[first + lane];
			if (call == callBallot) {
				t.result = ballot;
				continue;
			}
			const unsigned from = source(t, lane);
			if (!(mask >> from & 1)) return fail("reads a lane that does not take part", first + lane);
			t.result = threads[first + from].value;
		}
	for (unsigned lane = 0; lane < 32; lane++)
		if (mask >> lane & 1) threads[first + lane].call = callNone;
	return true;
}

// whole reports whether all lanes of a warp are in one call of all lanes.
bool whole(unsigned first) {
	const Thread &t = threads[first];
	if (t.exited || t.call == callNone || t.call >= callSyncBlock) return false;
	for (unsigned lane = 0; lane < 32; lane++) {
		const Thread &o = threads[first + lane];
		if (o.exited || o.mask != ~0u || !together(t, o)) return false;
	}
	return true;
}

// completeWarp completes the calls of a warp's lanes that all lanes of their mask have
// made. ended reports whether one was completed.
bool completeWarp(unsigned first, bool &ended) {
	if (whole(first)) {
		ended = true;
		completeAll(threads + first);
		return true;
	}
	for (unsigned lane = 0; lane < 32; lane++) {
		const Thread &t = threads[first + lane];
		if (t.exited || t.call == callNone || t.call >= callSyncBlock) continue;
		if (!(t.mask >> lane & 1)) return fail("is not in its own mask", first + lane);
		unsigned there = 0;
		bool all = true;
		for (unsigned other = lane; other < 32 && all; other++) {
			const Thread &o = threads[first + other];
			if (!(t.mask >> other & 1) || o.exited) continue;
			all = together(t, o) && o.mask == t.mask;
			there |= 1u << other;
		}
		// Lower lanes have been tested: if one of the mask had made the call, the
		// call would be complete, or this lane would be missing from it.
		for (unsigned other = 0; other < lane && all; other++)
			all = !(t.mask >> other & 1) || threads[first + other].exited;
		if (!all) continue;
		if (!complete(first, there)) return false;
		ended = true;
	}
	return true;
}

// runWarp runs the lanes of a warp until all wait for other warps or have exited.
bool runWarp(unsigned first) {
	for (;;) {
		for (unsigned i = 0; i < 32; i++) {
			const unsigned thread = first + (block.turns == turnsBackward ? 31 - i : i);
			if (runnable(threads[thread])) resume(scheduler, thread);
		}
		bool ended = false;
		if (!completeWarp(first, ended)) return false;
		if (!ended) return true;
	}
}

// completeBlock completes the barrier that all threads have reached. left reports
// whether any thread continues.
bool completeBlock(bool &left) {
	int at = -1;
	unsigned any = 0;
	for (unsigned i = 0; i < block.threads; i++) {
		const Thread &t = threads[i];
		if (t.exited) continue;
		if (t.call < callSyncBlock) return fail("waits for lanes of its mask that do not come", i);
		if (at >= 0 && !together(threads[at], t)) return fail("waits while others are at another barrier", i);
		at = (int)i;
		any |= t.value;
	}
	left = at >= 0;
	for (unsigned i = 0; i < block.threads; i++) {
		threads[i].result = any;
		threads[i].call = callNone;
	}
	return true;
}

} // namespace

unsigned emulatedCall(EmulatedCall call, EmulatedPlace place, unsigned mask, unsigned value, int n, int width) {
	Thread &t = threads[running];
	t.call = call;
	t.place = place;
	t.mask = mask;
	t.value = value;
	t.n = n;
	t.width = width;
	yield();
	return t.result;
}

bool runBlock(void (*kernel)(), const void *params, unsigned count, Turns turns, char *error, unsigned size) {
	block = {kernel, params, count, turns, error, size};
	if (stacks == nullptr) {
		void *p = mmap(nullptr, mostThreads * stackBytes, PROT_READ | PROT_WRITE,
		               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED) {
			snprintf(error, size, "no memory for stacks");
			return false;
		}
		stacks = (char *)p;
	}
	for (unsigned i = 0; i < count; i++) {
		threads[i].exited = false;
		threads[i].call = callNone;
		// The stacks of a warp begin in different sets of the cache.
		startFiber(threads[i].fiber, stacks + i * stackBytes, stackBytes - i % 32 * stackShift, enter);
	}
	for (bool left = true; left;) {
		for (unsigned first = 0; first < count; first += 32)
			if (!runWarp(turns == turnsBackward ? count - 32 - first : first)) return false;
		if (!completeBlock(left)) return false;
	}
	return true;
}
