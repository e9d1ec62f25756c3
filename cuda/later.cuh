// Words that come to shared memory while the thread goes on.
#pragma once
#include "shared.cuh"

// copyLater copies a word of global memory to shared memory. It is there after waitForCopies of the same thread.
__device__ __forceinline__ void copyLater(int *to, const int *from) {
#if !defined(WFA_EMULATED) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((u32)__cvta_generic_to_shared(to)), "l"(from)
	             : "memory");
#else
	*to = *from;
#endif
}

// waitForCopies waits for the words that this thread copies.
__device__ __forceinline__ void waitForCopies() {
#if !defined(WFA_EMULATED) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
