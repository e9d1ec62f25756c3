// A block of emulated threads.
#pragma once

enum : unsigned { mostThreads = 1024 };

// Turns is the order in which what may run runs. A kernel that is right gives the
// same in any.
enum Turns : unsigned { turnsForward, turnsBackward, turnsKinds };

// runBlock runs all threads of a block. It returns false, with a message in
// error, when they wait for each other in a way that never ends or that a device
// leaves undefined.
bool runBlock(void (*kernel)(), const void *params, unsigned threads, Turns turns, char *error, unsigned size);

// emulatedKernel calls a kernel with the structure at params.
void emulatedKernel(void (*kernel)(), const void *params);
