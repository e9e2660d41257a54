#include "AllocationCounter.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static _Thread_local long allocated = 0;
static _Thread_local long freed = 0;

#if defined(SANITIZED)
bool is_sanitized(void) { return true; }
#else
bool is_sanitized(void) { return false; }
#endif

long allocated_blocks(void) { return allocated; }
long freed_blocks(void) { return freed; }

#if defined(__GLIBC__) && !defined(SANITIZED)

bool allocations_are_counted(void) { return true; }

unsigned long bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// glibc keeps its allocator under these names for those who take the others' place.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  allocated++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocated++;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  if (block == NULL) allocated++;
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocated++;
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = aligned_alloc(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}

void free(void *block) {
  if (block != NULL) freed++;
  __libc_free(block);
}

#else

bool allocations_are_counted(void) { return false; }
unsigned long bytes_in_use(void) { return 0; }

#endif
