// ThreadSanitizer does not see what a contended `Synchronization.Mutex` does on Linux: the runtime's
// slow paths are not instrumented, so it takes what they order for a race. These stand in their place
// and tell it. Races on what no mutex orders are found as before.

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle
#define NOT_INSTRUMENTED __attribute__((no_sanitize("thread")))

extern void __tsan_acquire(void *);
extern void __tsan_release(void *);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);

NOT_INSTRUMENTED SWIFT void lock_slow(uint32_t thread, SELF) {
  static SWIFT void (*next)(uint32_t, SELF);
  if (!next) next = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK_SLOW);
  next(thread, handle);
  __tsan_acquire(handle);
}

NOT_INSTRUMENTED SWIFT void unlock_slow(SELF) {
  static SWIFT void (*next)(SELF);
  if (!next) next = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK_SLOW);
  __tsan_release(handle);
  next(handle);
}

// Nor does it see that a task goes on only after its continuation was resumed, if that happened on
// another thread before the task suspended: `swift_continuation_await` doesn't tell it. It then takes
// what `resume` did in the task's frame for a race. Only reports of `resume` itself are left out.
const char *__tsan_default_suppressions(void) { return "race_top:Scc6resume"; }

#endif
#endif
