// A block of emulated threads.
#pragma once

enum : unsigned { mostThreads = 1024 };

// Turns is the order in which threads run. A correct kernel gives the same results in
// any order.
enum Turns : unsigned { turnsForward, turnsBackward, turnsKinds };

// runBlock runs all threads of a block. It returns false, with a message in error, if
// they deadlock, or synchronize in a way that is undefined on a device.
bool runBlock(void (*kernel)(), const void *params, unsigned threads, Turns turns, char *error, unsigned size);

// emulatedKernel calls a kernel with the structure at params.
void emulatedKernel(void (*kernel)(), const void *params);
