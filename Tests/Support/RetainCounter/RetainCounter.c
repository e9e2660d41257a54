#define _GNU_SOURCE
#include "RetainCounter.h"

#include <dlfcn.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static _Thread_local long retains = 0;

long retained_objects(void) { return retains; }

#if defined(__GLIBC__) && defined(__x86_64__) && !defined(SANITIZED)

bool retains_are_counted(void) { return true; }

// Stands in the runtime's place for the program and for every library.
void *swift_retain(void *object) {
  static void *(*next)(void *) = NULL;
  if (next == NULL) next = (void *(*)(void *))dlsym(RTLD_NEXT, "swift_retain");
  if (object != NULL) retains++;
  return next(object);
}

#else

bool retains_are_counted(void) { return false; }

#endif
