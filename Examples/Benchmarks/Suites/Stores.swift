/// Actions through pulled-back reducers, and from several tasks concurrently.
extension Catalog {
  static let pullbacks = {
    let none = Nest.counter
    let one = none.pulledBack
    let two = one.pulledBack
    let three = two.pulledBack
    let four = three.pulledBack
    let five = four.pulledBack
    let six = five.pulledBack
    let seven = six.pulledBack
    let eight = seven.pulledBack
    let sends: [@Sendable () -> Workload] = [
      { none.send() }, { one.send() }, { two.send() }, { three.send() }, { four.send() },
      { five.send() }, { six.send() }, { seven.send() }, { eight.send() },
    ]
    return sends.indices.map { count in
      Benchmark(
        "pullbacks/\(count)", "store.send; \(count) pullbacks",
        against: "as many times the same with 1", limit: 2
      ) {
        Benchmark.Subject(
          operation: sends[count](), yardstick: sends[1]().repeated(max(1, count)))
      }
    }
  }()

  static let stores = series("store", "store.send", [1, 2, 4, 8], "senders") {
    Nest.counter.send(from: $0)
  }
}
