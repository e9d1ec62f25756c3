// The collective calls of the threads of a warp or a block. Every thread of a kernel is
// a fiber. It runs until it calls one of these functions; block.cpp then runs the other
// threads until all that take part have made the call.
//
// The last arguments are the place of a call in the source. All lanes of a mask must be
// at the same place, all threads of a block at the same barrier. Anything else is
// undefined or a deadlock on a device, and an error of the launch here.
#pragma once
#include "call.h"
#include "device.h"

#define WFA_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

WFA_FN void __syncthreads(WFA_HERE) { emulatedCall(callSyncBlock, {file, line}, 0, 0, 0, 0); }
WFA_FN int __syncthreads_or(int p, WFA_HERE) {
	return (int)emulatedCall(callSyncBlockOr, {file, line}, 0, p != 0, 0, 0);
}
WFA_FN void __syncwarp(unsigned mask = ~0u, WFA_HERE) { emulatedCall(callSyncWarp, {file, line}, mask, 0, 0, 0); }

#define WFA_SHUFFLE(NAME, CALL)                                                                                        \
	WFA_FN unsigned NAME(unsigned mask, unsigned v, int n, int width = 32, WFA_HERE) {                                 \
		return emulatedCall(CALL, {file, line}, mask, v, n, width);                                                    \
	}                                                                                                                  \
	WFA_FN int NAME(unsigned mask, int v, int n, int width = 32, WFA_HERE) {                                           \
		return (int)emulatedCall(CALL, {file, line}, mask, (unsigned)v, n, width);                                     \
	}
WFA_SHUFFLE(__shfl_sync, callShuffle)
WFA_SHUFFLE(__shfl_up_sync, callShuffleUp)
WFA_SHUFFLE(__shfl_down_sync, callShuffleDown)
WFA_SHUFFLE(__shfl_xor_sync, callShuffleXor)
#undef WFA_SHUFFLE

WFA_FN unsigned __ballot_sync(unsigned mask, int p, WFA_HERE) {
	return emulatedCall(callBallot, {file, line}, mask, p != 0, 0, 0);
}
WFA_FN int __any_sync(unsigned mask, int p, WFA_HERE) {
	return emulatedCall(callBallot, {file, line}, mask, p != 0, 0, 0) != 0;
}
WFA_FN int __all_sync(unsigned mask, int p, WFA_HERE) {
	return emulatedCall(callBallot, {file, line}, mask, p == 0, 0, 0) == 0;
}
