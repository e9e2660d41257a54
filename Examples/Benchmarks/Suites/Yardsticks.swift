import ComposableDependencies

/// Reads of values of several kinds, compared to what a struct without the library would store.
///
/// The limits use a key path that the compiler can't see through as the yardstick. These yardsticks
/// are the fastest ways to get at a dependency.
extension Catalog {
  static let yardsticks =
    compared(
      "int", "an Int", getterLimit: 3.5,
      declared: { count, values in for _ in 0..<count { sink(values.number) } },
      getter: { count, values in for _ in 0..<count { sink(values.number()) } },
      stored: { count, values in for _ in 0..<count { sink(values.number) } })
    + compared(
      "object", "an object",
      declared: { count, values in for _ in 0..<count { sink(values.object) } },
      getter: { count, values in for _ in 0..<count { sink(values.object()) } },
      stored: { count, values in for _ in 0..<count { sink(values.object) } })
    + compared(
      "string", "a String",
      declared: { count, values in for _ in 0..<count { sink(values.text) } },
      getter: { count, values in for _ in 0..<count { sink(values.text()) } },
      stored: { count, values in for _ in 0..<count { sink(values.text) } })
    + compared(
      "closures", "a struct of five closures",
      declared: { count, values in for _ in 0..<count { sink(values.client) } },
      getter: { count, values in for _ in 0..<count { sink(values.client()) } },
      stored: { count, values in for _ in 0..<count { sink(values.client) } })
    + compared(
      "call", "a struct of five closures, one of which is called",
      declared: { count, values in for number in 0..<count { sink(values.client.load(number)) } },
      getter: { count, values in for number in 0..<count { sink(values.client().load(number)) } },
      stored: { count, values in for number in 0..<count { sink(values.client.load(number)) } })
    + compared(
      "strings", "a struct of 11 strings",
      declared: { count, values in for _ in 0..<count { sink(values.texts) } },
      getter: { count, values in for _ in 0..<count { sink(values.texts()) } },
      stored: { count, values in for _ in 0..<count { sink(values.texts) } })

  private static func compared(
    _ name: String, _ title: String, getterLimit: Double? = nil,
    declared: @escaping @Sendable (Int, DeclaredValues) -> Void,
    getter: @escaping @Sendable (Int, GetterValues) -> Void,
    stored: @escaping @Sendable (Int, StoredValues) -> Void
  ) -> [Benchmark] {
    let read: @Sendable () -> Workload = {
      let values = DeclaredValues.overridden
      return Workload { count in declared(count, opaque(values)) }
    }
    return [
      Benchmark(
        "yardsticks/\(name)/getter", "@Dependency, \(title)",
        against: "a stored closure that calls a getter", limit: getterLimit, allocationLimit: 0
      ) {
        let values = GetterValues()
        return Benchmark.Subject(
          operation: read(), yardstick: Workload { count in getter(count, opaque(values)) })
      },
      Benchmark(
        "yardsticks/\(name)/stored", "@Dependency, \(title)", against: "a stored property",
        allocationLimit: 0
      ) {
        let values = StoredValues()
        return Benchmark.Subject(
          operation: read(), yardstick: Workload { count in stored(count, opaque(values)) })
      },
    ]
  }
}
