/// Uses a value, so that the work that made it is not optimized away.
@inline(never)
@_optimize(none)
func sink<Value>(_ value: Value) {}

/// Hands a value back as one that the optimizer knows nothing of, such as a key path that it would
/// otherwise replace by a call.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }
