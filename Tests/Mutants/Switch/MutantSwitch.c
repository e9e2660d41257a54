// Which mutant is on, and which places of mutants a run reaches. The tool copies this file to the C
// target that every test links.
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { limit = 1 << 16 };
static long chosen;
static const char *reached_path;
// Relaxed, because it must not order what the tests' threads do.
static atomic_bool reached[limit];

__attribute__((constructor)) static void read_environment(void) {
  const char *number = getenv("MUTANT");
  if (number) chosen = atol(number);
  reached_path = getenv("MUTANTS_REACHED");
}

// At once, because a test may run in a process of its own that crashes.
static void write_reached(long number) {
  int file = open(reached_path, O_WRONLY | O_APPEND | O_CREAT, 0644);
  if (file < 0) return;
  dprintf(file, "%ld\n", number);
  close(file);
}

bool mutant_is_on(long number) {
  if (reached_path && number < limit &&
      !atomic_exchange_explicit(&reached[number], true, memory_order_relaxed)) {
    write_reached(number);
  }
  return number == chosen;
}
