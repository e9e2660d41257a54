/// The yardsticks: the same operations without the library.
enum Bare {
  final class Box: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// The single reference that any such library needs.
  @TaskLocal static var box: Box?

  static let reading = Workload { count in
    $box.withValue(Box(7)) {
      for _ in 0..<count { sink(box) }
    }
  }

  static let entering = Workload { count in
    let box = Box(7)
    for _ in 0..<count { $box.withValue(box) { sink(0) } }
  }

  static let enteringInTwoThreads = Workload(threads: 2) { count in
    let box = Box(7)
    for _ in 0..<count { $box.withValue(box) { sink(0) } }
  }

  static let enteringAsynchronously = Workload(suspending: { count in
    let box = Box(7)
    for _ in 0..<count { await $box.withValue(box) { sink(await nothing()) } }
  })

  @inline(never)
  static func nothing() async -> Int { 0 }

  /// A struct that computes its property like `Dependencies`, from a value behind one reference.
  private struct Computed {
    let box = Box(7)
    var number: Int { box.number }
  }

  static let applyingKeyPath = Workload { count in
    let (computed, keyPath) = (opaque(Computed()), opaque(\Computed.number))
    for _ in 0..<count { sink(computed[keyPath: keyPath]) }
  }
}
