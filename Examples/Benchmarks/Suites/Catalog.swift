/// Everything that can be measured, in the order of the report.
enum Catalog {
  static let benchmarks: [Benchmark] =
    limits + overrides + depth + threads + tasks + derived + pullbacks + stores + memory

  /// The benchmarks meant by names of their own or of their groups; all where there are no names.
  ///
  /// - Throws: The first name that means none.
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
