// The interface between kernels and the emulation: the running thread, and the calls in
// which it waits for others.
#pragma once

struct EmulatedIndex {
	unsigned x, y, z;
};
extern EmulatedIndex threadIdx, blockIdx, blockDim, gridDim;

enum EmulatedCall : unsigned {
	callNone,
	callSyncWarp,
	callShuffle,     // n is the lane
	callShuffleUp,   // n is the distance down
	callShuffleDown, // n is the distance up
	callShuffleXor,  // n is the mask
	callBallot,
	callSyncBlock, // from here on for all threads of the block
	callSyncBlockOr,
};

struct EmulatedPlace {
	const char *file;
	int line;
};

// emulatedCall lets other threads run until the call is complete, and returns its
// result. n and width are those of a shuffle.
unsigned emulatedCall(EmulatedCall call, EmulatedPlace place, unsigned mask, unsigned value, int n, int width)
#ifdef __clang__
    __attribute__((convergent)) // the calls of one place stay calls of one place
#endif
    ;
