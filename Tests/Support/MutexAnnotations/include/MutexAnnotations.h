#pragma once
// Nothing to call. Linked into a test, it makes contended mutexes visible to ThreadSanitizer.
