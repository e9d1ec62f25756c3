// Shared memory by 32-bit addresses.
//
// A generic pointer takes two registers, and the compiler computes it anew at each use. An address
// takes one, and a constant distance from it is a part of the instruction.
#pragma once
#include "abi.cuh"

#ifdef WFA_EMULATED // for the host, see emu
typedef u8 *Shared;

template <class T> __device__ __forceinline__ T kept(T value) { return value; }
__device__ __forceinline__ Shared sharedAddress(const void *at) { return (u8 *)at; }
template <class T> __device__ __forceinline__ T loadShared(Shared from) { return *(const T *)from; }
template <class T> __device__ __forceinline__ void storeShared(Shared to, T value) { *(T *)to = value; }
#else
// All dynamic shared memory of a block, 16-byte aligned.
extern __shared__ __align__(16) u8 sharedMemory[];

// kept returns a value, which the compiler keeps in a register from then on: it does not compute it
// again where it is used.
__device__ __forceinline__ u32 kept(u32 value) {
	asm volatile("" : "+r"(value));
	return value;
}

// Shared is an address in shared memory.
typedef u32 Shared;

__device__ __forceinline__ Shared sharedAddress(const void *at) { return (Shared)__cvta_generic_to_shared(at); }
// loadShared and storeShared read and write a value in shared memory.
template <class T> __device__ __forceinline__ T loadShared(Shared from) {
	return *(const T *)__cvta_shared_to_generic(from);
}
template <class T> __device__ __forceinline__ void storeShared(Shared to, T value) {
	*(T *)__cvta_shared_to_generic(to) = value;
}
#endif
