// Package emu runs the CUDA kernels on the CPU, for tests.
//
// It compiles cuda/wfagpu.cu, the source of the kernels that ship, as C++ for the
// host and runs it under a small emulation of a GPU's threads, cuda/emu: every
// thread is a fiber; barriers, shuffles and votes are where fibers take turns.
// What differs from the device is the compiler, the inline PTX of cuda/simd.cuh,
// which has C++ in its place, and that blocks run one after the other. Threads
// that wait for each other in a way that the device leaves undefined, and
// accesses to memory that is not there, are errors of the launch.
//
// A C++ compiler is needed: clang-19, clang, or g++. The shared object is kept in
// the user's cache directory, by a hash of the sources.
package emu
