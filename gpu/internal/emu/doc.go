// Package emu runs the CUDA kernels on the CPU, for tests.
//
// It compiles cuda/wfagpu.cu, the source of the kernels that ship, as C++ for the
// host and runs it under an emulation of a GPU's threads, cuda/emu. Every thread is
// a fiber that runs until it meets a barrier, a shuffle or a vote. Launches report
// as errors: threads that wait for each other in a way that the device leaves
// undefined, and accesses to memory that is not there.
//
// The emulation differs from a device in four ways. The compiler is another one.
// The inline PTX of cuda/simd.cuh has C++ in its place. Blocks run one after the
// other. Memory is sequentially consistent, and threads are interleaved at those
// calls alone, in two orders that alternate from launch to launch: a race shows only
// if one of the orders makes it visible.
//
// A C++ compiler is needed: clang-19, clang, or g++, or the one that
// WFAGPU_EMULATION_COMPILER names, with the flags of WFAGPU_EMULATION_FLAGS added.
// Without one, tests are skipped; WFAGPU_REQUIRE_EMULATION=1 makes them fail. The
// shared object is kept in the user's cache directory, by a hash of the sources, the
// compiler and the flags.
package emu
