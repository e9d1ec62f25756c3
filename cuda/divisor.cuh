// Division by a number that is not known when a kernel is compiled, and divides many others.
#pragma once
#include "abi.cuh"

// Divisor is a number from 2 on. Others are below 2^32 / Divisor.
struct Divisor {
	u32 reciprocal; // times 2^32

	Divisor() = default;
	__device__ __forceinline__ explicit Divisor(int n) : reciprocal(0xffffffffu / n + 1) {}
	// into returns the quotient of n, at least 0.
	__device__ __forceinline__ int into(int n) const { return (int)((u64)(u32)n * reciprocal >> 32); }
};
