// Package emu runs the CUDA kernels on the CPU, for tests.
//
// It compiles cuda/wfagpu.cu, the source of the shipped kernels, as C++ for the host
// and runs it on an emulation of a GPU's threads, cuda/emu: every thread is a fiber,
// and fibers switch at barriers, shuffles and votes. Differences from the device: the
// compiler, C++ in place of the inline PTX of cuda/simd.cuh, and blocks that run one
// after the other. Undefined synchronization and invalid accesses to memory are
// errors of the launch.
//
// It requires a C++ compiler: clang-19, clang, or g++. The shared object is cached in
// the user's cache directory, by a hash of the sources.
package emu
