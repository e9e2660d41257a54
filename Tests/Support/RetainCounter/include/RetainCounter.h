#pragma once
#include <stdbool.h>

/// Whether retains are counted here: on Linux with glibc, on x86-64, and without a sanitizer.
bool retains_are_counted(void);

/// The retains of native objects by the calling thread so far.
long retained_objects(void);
