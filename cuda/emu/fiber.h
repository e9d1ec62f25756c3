// Fibers: functions with stacks of their own that share one thread.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && !defined(WFA_UCONTEXT)

struct Fiber {
	void *stack; // top, where the registers that a call preserves are saved
};

// wfaSwitchFiber saves the current state in from and continues the fiber `to`.
extern "C" void wfaSwitchFiber(void **from, void *to);
asm(R"(
	.text
	.p2align 4
	.local wfaSwitchFiber
	.type wfaSwitchFiber, @function
wfaSwitchFiber:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
	.size wfaSwitchFiber, .-wfaSwitchFiber
)");
static inline void switchFiber(Fiber &from, const Fiber &to) { wfaSwitchFiber(&from.stack, to.stack); }

// startFiber prepares f so that the next switch to it calls entry, which must not
// return.
static inline void startFiber(Fiber &f, void *stack, size_t size, void (*entry)()) {
	uintptr_t *top = (uintptr_t *)(((uintptr_t)stack + size) & ~(uintptr_t)15);
	*--top = 0;
	*--top = (uintptr_t)entry; // entry begins as if it had been called
	for (int i = 0; i < 6; i++) *--top = 0;
	f.stack = top;
}

#else
#include <ucontext.h>

struct Fiber {
	ucontext_t context;
};
static inline void switchFiber(Fiber &from, const Fiber &to) { swapcontext(&from.context, &to.context); }
static inline void startFiber(Fiber &f, void *stack, size_t size, void (*entry)()) {
	getcontext(&f.context);
	f.context.uc_stack.ss_sp = stack;
	f.context.uc_stack.ss_size = size;
	f.context.uc_link = nullptr;
	makecontext(&f.context, entry, 0);
}

#endif
