// What the threads of a warp or a block do together. Every thread of a kernel is
// a fiber, which runs until it comes to one of these functions; block.cpp runs
// the others until all have come that must.
//
// The last arguments are where a call is written. All lanes of a mask must be at
// the same place, all threads of a block at the same barrier; anything else, on
// a device undefined or a deadlock, is an error of the launch.
#pragma once

struct EmulatedIndex {
	unsigned x, y, z;
};
extern EmulatedIndex threadIdx, blockIdx, blockDim, gridDim;

enum EmulatedCall : unsigned {
	callNone,
	callSyncWarp,
	callShuffle,     // n is the lane
	callShuffleUp,   // n is how far below
	callShuffleDown, // n is how far above
	callShuffleXor,  // n is what the lane is combined with
	callBallot,
	callSyncBlock, // from here on for all threads of the block
	callSyncBlockOr,
};

struct EmulatedPlace {
	const char *file;
	int line;
};

// emulatedCall gives up the processor until the call is complete, and returns
// its result. n and width are those of a shuffle.
unsigned emulatedCall(EmulatedCall call, EmulatedPlace place, unsigned mask, unsigned value, int n, int width)
#ifdef __clang__
    __attribute__((convergent)) // the calls of one place stay calls of one place
#endif
    ;

#define WFA_HERE EmulatedPlace here = EmulatedPlace{__builtin_FILE(), __builtin_LINE()}
#define WFA_FN static inline __attribute__((unused))

WFA_FN void __syncthreads(WFA_HERE) { emulatedCall(callSyncBlock, here, 0, 0, 0, 0); }
WFA_FN int __syncthreads_or(int p, WFA_HERE) { return (int)emulatedCall(callSyncBlockOr, here, 0, p != 0, 0, 0); }
WFA_FN void __syncwarp(unsigned mask = ~0u, WFA_HERE) { emulatedCall(callSyncWarp, here, mask, 0, 0, 0); }

#define WFA_SHUFFLE(NAME, CALL)                                                                                    \
	WFA_FN unsigned NAME(unsigned mask, unsigned v, int n, int width = 32, WFA_HERE) {                             \
		return emulatedCall(CALL, here, mask, v, n, width);                                                        \
	}                                                                                                              \
	WFA_FN int NAME(unsigned mask, int v, int n, int width = 32, WFA_HERE) {                                       \
		return (int)emulatedCall(CALL, here, mask, (unsigned)v, n, width);                                         \
	}
WFA_SHUFFLE(__shfl_sync, callShuffle)
WFA_SHUFFLE(__shfl_up_sync, callShuffleUp)
WFA_SHUFFLE(__shfl_down_sync, callShuffleDown)
WFA_SHUFFLE(__shfl_xor_sync, callShuffleXor)
#undef WFA_SHUFFLE

WFA_FN unsigned __ballot_sync(unsigned mask, int p, WFA_HERE) {
	return emulatedCall(callBallot, here, mask, p != 0, 0, 0);
}
WFA_FN int __any_sync(unsigned mask, int p, WFA_HERE) { return emulatedCall(callBallot, here, mask, p != 0, 0, 0) != 0; }
WFA_FN int __all_sync(unsigned mask, int p, WFA_HERE) { return emulatedCall(callBallot, here, mask, p == 0, 0, 0) == 0; }
#undef WFA_FN
