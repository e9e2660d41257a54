/// Uses a value, so that the compiler doesn't optimize away the work that produced it.
@inline(never)
@_optimize(none)
func sink<Value>(_ value: Value) {}

/// Returns a value that the optimizer knows nothing about.
///
/// Otherwise, it would replace a key path by a call, for example.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }
