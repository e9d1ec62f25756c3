// Faults of kernels, such as invalid accesses to memory.
#pragma once

// guarded calls run and returns its result. If the thread faults, it returns false with
// a message in error and, in where, the address of the instruction in this library.
// Faults of other threads go to the previous handler.
bool guarded(bool (*run)(void *), void *arg, char *error, unsigned size, unsigned long long *where);
