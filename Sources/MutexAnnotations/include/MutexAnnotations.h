#pragma once
// Nothing to call: linked into a test, it tells ThreadSanitizer of contended mutexes.
