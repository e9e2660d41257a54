/// All benchmarks, in the order of the report; in a debug build, those that have limits there.
///
/// Those of ``others`` compare a process with itself before it used aliases, global values and others;
/// what runs before them uses none.
enum Catalog {
  #if DEBUG
    static let benchmarks: [Benchmark] = unoptimized
  #else
    static let benchmarks: [Benchmark] =
      limits + others + growth + recreating + carriers + resources + sharing + rows + effects
      + effectsBelowOptionals
      + nestedEffects + effectMemory + clocks + exploring + process
  #endif

  /// Returns the benchmarks with the given names or group names, or all if there are no names.
  ///
  /// - Throws: The first name that doesn't exist.
  static func benchmarks(named names: [String]) throws(UnknownName) -> [Benchmark] {
    for name in names where !benchmarks.contains(where: { $0.isMeant(by: name) }) {
      throw UnknownName(name: name)
    }
    return names.isEmpty
      ? benchmarks : benchmarks.filter { benchmark in names.contains { benchmark.isMeant(by: $0) } }
  }

  struct UnknownName: Error {
    let name: String
  }
}
