// Faults of kernels, such as accesses to memory that is not there.
#pragma once

// guarded calls run, and returns what it returns. If the thread faults, it returns
// false with a message in error and, in where, the address of the instruction in
// this library. Other threads' faults go where they went before.
bool guarded(bool (*run)(void *), void *arg, char *error, unsigned size, unsigned long long *where);
