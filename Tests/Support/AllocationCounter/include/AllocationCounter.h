#pragma once
#include <stdbool.h>

/// Whether allocations are counted here: on Linux with glibc, and without a sanitizer, which has an
/// allocator of its own.
bool allocations_are_counted(void);

/// Blocks that the calling thread has allocated so far.
long allocated_blocks(void);

/// Blocks that the calling thread has freed so far.
long freed_blocks(void);

/// Bytes that the process has allocated and not freed; 0 where that is not known.
unsigned long bytes_in_use(void);

/// Whether the tests run under a sanitizer.
bool is_sanitized(void);
