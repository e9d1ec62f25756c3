// Kernels that test the emulation itself. In and out are words at Params::rows.

// emu_simd writes the results of simd.cuh for each three words.
extern "C" __global__ void emu_simd(const __grid_constant__ Params a) {
	const u32 *in = a.rows + 3 * threadIdx.x;
	u32 *out = a.rows + 3 * blockDim.x + 6 * threadIdx.x;
	out[0] = max2(in[0], in[1]);
	out[1] = min2(in[0], in[1]);
	out[2] = sub2(in[0], in[1]);
	out[3] = addMax2(in[0], in[1], in[2]);
	out[4] = negative2(in[0]);
	out[5] = (u32)topBit(in[2]);
}

// emu_bits is the same for the language's own functions.
extern "C" __global__ void emu_bits(const __grid_constant__ Params a) {
	const u32 *in = a.rows + 3 * threadIdx.x;
	u32 *out = a.rows + 3 * blockDim.x + 6 * threadIdx.x;
	out[0] = __byte_perm(in[0], in[1], in[2]);
	out[1] = __funnelshift_l(in[0], in[1], in[2]);
	out[2] = __funnelshift_r(in[0], in[1], in[2]);
	out[3] = (u32)__clz((int)in[2]);
	out[4] = (u32)__ffs((int)in[2]);
	out[5] = (u32)__float2int_rd((float)(int)in[0] / 65536.0f);
}

// emu_warp writes each lane's results of the functions of a warp; the upper half of the
// lanes is a group of its own.
extern "C" __global__ void emu_warp(const __grid_constant__ Params a) {
	const int lane = threadIdx.x & 31;
	const u32 group = lane < 16 ? 0x0000ffffu : 0xffff0000u;
	u32 *out = a.rows + 8 * threadIdx.x;
	out[0] = __shfl_sync(~0u, threadIdx.x, (lane * 7) & 31);
	out[1] = __shfl_up_sync(~0u, threadIdx.x, 3);
	out[2] = __shfl_down_sync(~0u, threadIdx.x, 3);
	out[3] = __shfl_xor_sync(~0u, threadIdx.x, 5);
	out[4] = __shfl_sync(group, threadIdx.x, 2, 16);
	out[5] = __ballot_sync(group, lane % 3 == 0);
	out[6] = (u32)__any_sync(~0u, threadIdx.x == 40);
	out[7] = (u32)__all_sync(group, lane < 16);
}

// emu_exit: half of the threads exit before the others synchronize.
extern "C" __global__ void emu_exit(const __grid_constant__ Params a) {
	if (threadIdx.x & 1) return;
	__syncwarp();
	a.rows[threadIdx.x] = (u32)__syncthreads_or(threadIdx.x == 62);
}

// emu_segments writes the distances of segments, by indels and by affine gaps, from a part of a text. The first words: the number of
// segments, the letters of the text, the first one of the part and the one behind it. The results follow, then the segments, then the text.
extern "C" __global__ void emu_segments(const __grid_constant__ Params a) {
	__shared__ IndelRows rows;
	const int segments = (int)a.rows[0], length = (int)a.rows[1], from = (int)a.rows[2], to = (int)a.rows[3];
	const int at = (int)threadIdx.x;
	u32 *const out = a.rows + 4, *const letters = out + 2 * segments,
	           *const text = letters + segmentLetters / 16 * segments;
	if (at >= segments) return;
	IndelSegment indels(rows);
	indels.load(letters, at);
	indels.take(text, length, from, to);
	out[2 * at] = (u32)indels.least();
	AffineSegment affine(rows);
	affine.load(letters, at);
	affine.take(text, length, from, to);
	out[2 * at + 1] = (u32)affine.least();
}

// The following kernels are wrong.

// emu_unsynchronized reads what a neighbour writes, without a barrier.
extern "C" __global__ void emu_unsynchronized(const __grid_constant__ Params a) {
	__shared__ u32 word[1024];
	word[threadIdx.x] = threadIdx.x;
	a.rows[threadIdx.x] = word[(threadIdx.x + 1) % blockDim.x];
}

extern "C" __global__ void emu_two_barriers(const __grid_constant__ Params) {
	if (threadIdx.x < 32)
		__syncthreads();
	else
		__syncthreads();
}

extern "C" __global__ void emu_two_shuffles(const __grid_constant__ Params a) {
	u32 v;
	if (threadIdx.x < 7)
		v = __shfl_sync(~0u, threadIdx.x, 0);
	else
		v = __shfl_sync(~0u, threadIdx.x, 0);
	a.rows[threadIdx.x] = v;
}

extern "C" __global__ void emu_half_a_warp(const __grid_constant__ Params) {
	if (threadIdx.x < 16) __syncwarp();
	__syncthreads();
}

extern "C" __global__ void emu_not_in_the_mask(const __grid_constant__ Params) { __syncwarp(0xffffu); }

extern "C" __global__ void emu_lane_that_left(const __grid_constant__ Params a) {
	if ((threadIdx.x & 31) == 5) return;
	a.rows[threadIdx.x] = __shfl_sync(~0u, threadIdx.x, 5);
}

extern "C" __global__ void emu_beyond_shared_memory(const __grid_constant__ Params a) {
	a.rows[0] = sharedMemory[1024 + threadIdx.x];
}

extern "C" __global__ void emu_null(const __grid_constant__ Params a) {
	a.rows[threadIdx.x] = a.cigars[threadIdx.x + 1];
}
