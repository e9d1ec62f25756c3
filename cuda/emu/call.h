// What kernels and the emulation know of each other: which thread is running, and
// the calls in which it waits for others.
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
