import Foundation

/// The programs to run.
///
/// In the environment, `SEED` is the first, and `PROGRAMS` is their number.
struct Seeds {
  let first: UInt64
  let count: Int

  static var requested: Seeds {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SEED"].flatMap { UInt64($0) }
    let count = environment["PROGRAMS"].flatMap { Int($0) }
    return Seeds(first: seed ?? 1, count: count ?? (seed == nil ? 2000 : 1))
  }

  /// The seeds of programs that use the process's store, or of those that don't.
  func seeds(usingProcessStore: Bool) -> [UInt64] {
    (first..<first + UInt64(count)).filter {
      Generator.usesProcessStore(seed: $0) == usingProcessStore
    }
  }
}
