// Package emu runs the CUDA kernels on the CPU, for tests.
//
// It compiles cuda/wfagpu.cu, the source of the shipped kernels, as C++ for the host
// and runs it on an emulation of a GPU's threads, cuda/emu. Every thread is a fiber
// that runs until its next barrier, shuffle or vote. Undefined synchronization and
// invalid accesses to memory are errors of the launch.
//
// The emulation differs from a device in four ways. The compiler is another one. C++
// replaces the inline PTX of cuda/simd.cuh. Blocks run one after the other. Memory is
// sequentially consistent, and threads are interleaved only at those calls, in two
// orders that alternate from launch to launch: a race is found only if it changes the
// result in one of the orders.
//
// It requires a C++ compiler: clang-19, clang, or g++, or that of
// WFAGPU_EMULATION_COMPILER, with the additional flags of WFAGPU_EMULATION_FLAGS.
// Without one, tests skip; with WFAGPU_REQUIRE_EMULATION=1 they fail. The shared
// object is cached in the user's cache directory, by a hash of the sources, the
// compiler and the flags.
package emu
