// Launches of kernels, block after block.
#include "block.h"
#include "call.h"
#include "fault.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern unsigned char *sharedMemory;
unsigned char *sharedMemory;

extern "C" unsigned emulatedParamsBytes();

// All __shared__ variables of all kernels.
extern "C" unsigned char __start_wfa_shared[], __stop_wfa_shared[];

namespace {

// mostShared is at least the shared memory of a block on any device.
constexpr size_t mostShared = 256 << 10;

// Shared memory is undefined at the start of a block: it is filled with offsets that no
// sequence has.
constexpr int leftover = 0x5a;

// sharedEnd is the end of dynamic shared memory; an access beyond it is a fault.
unsigned char *sharedEnd;

bool reserve() {
	if (sharedEnd != nullptr) return true;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p = mmap(nullptr, mostShared + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) return false;
	if (mprotect((char *)p + mostShared, page, PROT_NONE) != 0) return false;
	sharedEnd = (unsigned char *)p + mostShared;
	return true;
}

unsigned launches;

struct Launch {
	void (*kernel)();
	unsigned grid, threads;
	const void *params;
	char *error;
	unsigned size;
};

bool run(void *arg) {
	const Launch &l = *(const Launch *)arg;
	blockDim = {l.threads, 1, 1};
	gridDim = {l.grid, 1, 1};
	// Blocks take tasks from a counter: the first to run takes them all.
	const Turns turns = (Turns)(launches++ % turnsKinds);
	for (unsigned i = 0; i < l.grid; i++) {
		blockIdx = {turns == turnsBackward ? l.grid - 1 - i : i, 0, 0};
		memset(sharedMemory, leftover, (size_t)(sharedEnd - sharedMemory));
		memset(__start_wfa_shared, leftover, (size_t)(__stop_wfa_shared - __start_wfa_shared));
		if (!runBlock(l.kernel, l.params, l.threads, turns, l.error, l.size)) return false;
	}
	return true;
}

} // namespace

// emulatedLaunch runs a kernel. It returns 0, or another number with a message in error
// and the address of a fault in where; see guarded. Calls must not overlap. Pointers in
// params are addresses of the host.
extern "C" __attribute__((visibility("default"))) int emulatedLaunch(void (*kernel)(), unsigned grid, unsigned threads,
                                                                     unsigned shared, const void *params,
                                                                     unsigned bytes, char *error, unsigned size,
                                                                     unsigned long long *where) {
	if (bytes != emulatedParamsBytes()) {
		snprintf(error, size, "parameters of %u bytes, the kernels' have %u", bytes, emulatedParamsBytes());
		return 1;
	}
	if (grid == 0 || threads == 0 || threads % 32 != 0 || threads > mostThreads) {
		snprintf(error, size, "%u blocks of %u threads", grid, threads);
		return 1;
	}
	if (shared > mostShared || !reserve()) {
		snprintf(error, size, "no %u bytes of shared memory", shared);
		return 1;
	}
	sharedMemory = sharedEnd - ((shared + 15) & ~15u);
	Launch launch = {kernel, grid, threads, params, error, size};
	return guarded(run, &launch, error, size, where) ? 0 : 1;
}
