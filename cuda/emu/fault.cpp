#include "fault.h"
#include "call.h"
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

namespace {

// UBSan's traps are SIGILL.
const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
constexpr int count = sizeof(signals) / sizeof(signals[0]);
struct sigaction before[count];

pthread_t thread;
sigjmp_buf back;
int fault;
void *address, *instruction;

void *instructionOf(const ucontext_t &c) {
#if defined(__x86_64__)
	return (void *)c.uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return (void *)c.uc_mcontext.pc;
#endif
}

// inLibrary returns an instruction's address relative to this library, 0 if it is
// elsewhere.
unsigned long long inLibrary(const void *instruction) {
	Dl_info library, other;
	if (!dladdr((const void *)inLibrary, &library) || !dladdr(instruction, &other)) return 0;
	if (library.dli_fbase != other.dli_fbase) return 0;
	return (unsigned long long)((const char *)instruction - (const char *)library.dli_fbase);
}

void handle(int signal, siginfo_t *info, void *context) {
	if (pthread_equal(pthread_self(), thread)) {
		fault = signal;
		address = info->si_addr;
		instruction = instructionOf(*(ucontext_t *)context);
		siglongjmp(back, 1);
	}
	for (int i = 0; i < count; i++) {
		if (signals[i] != signal) continue;
		if (before[i].sa_flags & SA_SIGINFO)
			before[i].sa_sigaction(signal, info, context);
		else if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN)
			before[i].sa_handler(signal);
		else
			sigaction(signal, &before[i], nullptr); // it comes again
	}
}

} // namespace

bool guarded(bool (*run)(void *), void *arg, char *error, unsigned size, unsigned long long *where) {
	thread = pthread_self();
	struct sigaction ours;
	memset(&ours, 0, sizeof ours);
	ours.sa_sigaction = handle;
	ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigfillset(&ours.sa_mask);
	for (int i = 0; i < count; i++) sigaction(signals[i], &ours, &before[i]);
	volatile bool ok = false;
	if (sigsetjmp(back, 1) == 0) {
		ok = run(arg);
	} else {
		snprintf(error, size, "block %u, thread %u: %s, address %p", blockIdx.x, threadIdx.x, strsignal(fault),
		         address);
		*where = inLibrary(instruction);
	}
	for (int i = 0; i < count; i++) sigaction(signals[i], &before[i], nullptr);
	return ok;
}
