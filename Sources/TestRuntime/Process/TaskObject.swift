/// The object of a task, whose type has no name.
///
/// No instance is created. As `AnyObject`, a task would be retained as Objective-C does on Apple's systems, which
/// reads a class where a task has none. Of this class, the compiler retains each object as Swift does.
// Sound: a task is an object of Swift's runtime, whose reference counts are where those of all such objects are.
final class TaskObject {
  private init() {}

  static func retain(_ address: UInt) {
    let pointer = unsafe UnsafeRawPointer(bitPattern: address)!
    _ = unsafe Unmanaged<TaskObject>.fromOpaque(pointer).retain()
  }

  static func release(_ address: UInt) {
    let pointer = unsafe UnsafeRawPointer(bitPattern: address)!
    unsafe Unmanaged<TaskObject>.fromOpaque(pointer).release()
  }
}
