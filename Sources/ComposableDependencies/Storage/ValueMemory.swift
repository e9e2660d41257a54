/// The memory for the value of an override, to be initialized once.
@safe
struct ValueMemory {
  let address: UnsafeMutableRawPointer

  func initialize<Value>(to value: Value) {
    unsafe address.assumingMemoryBound(to: Value.self).initialize(to: value)
  }

  func copy<Value>(from other: ValueMemory, _ type: Value.Type) {
    unsafe address.initializeMemory(
      as: Value.self, from: other.address.assumingMemoryBound(to: Value.self), count: 1)
  }

  func destroy<Value>(_ type: Value.Type) {
    unsafe address.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }
}

/// The size and the alignment of a value.
struct ValueLayout {
  /// The bytes from one value to the next in an array: generic code copies all of them.
  let stride: Int
  let alignment: Int
  /// Whether copying and destroying a value only concerns its bytes.
  let isTrivial: Bool

  init<Value>(of type: Value.Type) {
    stride = MemoryLayout<Value>.stride
    alignment = MemoryLayout<Value>.alignment
    isTrivial = _isPOD(type)
  }

  /// The stride in words.
  @inline(__always)
  var words: Int { (stride &+ MemoryLayout<UInt>.size &- 1) / MemoryLayout<UInt>.size }
}

// For overrides whose types of values are only known at run time.
extension DependencyKey {
  static var valueLayout: ValueLayout { ValueLayout(of: Value.self) }

  static func value(of override: Override) -> any Sendable {
    override.value(as: Value.self)
  }

  static func copyValue(of override: Override, to memory: ValueMemory) {
    memory.copy(from: override.memory, Value.self)
  }

  static func destroyValue(of override: Override) {
    override.memory.destroy(Value.self)
  }
}
