/// The tasks that sleep on a clock, to wake in the order of their deadlines, and then of their arrival.
///
/// Use it only under a lock.
package struct Sleepers<Sleep: Sendable>: Sendable {
  package struct Sleeper: Sendable {
    fileprivate let wakeTime: WakeTime
    package let sleep: Sleep

    package var deadline: Duration { wakeTime.deadline }
  }

  private var sleepers: [Int: Sleeper] = [:]
  /// The times of the sleepers, and of some that are gone.
  private var heap = Heap()
  private var lastID = 0

  package init() {}

  package var count: Int { sleepers.count }

  package mutating func makeID() -> Int {
    lastID += 1
    return lastID
  }

  /// Adds a sleeper.
  ///
  /// Its task must not be cancelled: ask under the lock, without which ``cancel(_:)`` could come before this.
  package mutating func insert(_ id: Int, until deadline: Duration, _ sleep: Sleep) {
    let wakeTime = WakeTime(deadline: deadline, id: id)
    sleepers[id] = Sleeper(wakeTime: wakeTime, sleep: sleep)
    heap.insert(wakeTime)
  }

  /// Cancels a sleep.
  ///
  /// - Returns: The sleeper, if it already sleeps.
  package mutating func cancel(_ id: Int) -> Sleep? {
    guard let sleeper = sleepers.removeValue(forKey: id) else { return nil }
    // At most half of the times are of sleepers that are gone.
    if heap.wakeTimes.count > 2 * count + 16 {
      heap = Heap(sorted.map(\.wakeTime))
    }
    return sleeper.sleep
  }

  /// The deadline of the first sleeper.
  package var nextDeadline: Duration? {
    mutating get {
      while let first = heap.wakeTimes.first {
        if sleepers[first.id] != nil { return first.deadline }
        heap.removeFirst()
      }
      return nil
    }
  }

  /// Removes the first sleeper, unless its deadline is later than an instant.
  package mutating func popFirst(through end: Duration?) -> Sleeper? {
    guard let next = nextDeadline, end.map({ next <= $0 }) ?? true else { return nil }
    return sleepers.removeValue(forKey: heap.removeFirst().id)
  }

  /// The sleepers, in order.
  package var sorted: [Sleeper] { sleepers.values.sorted { $0.wakeTime < $1.wakeTime } }

  package mutating func removeAll() -> [Sleeper] {
    defer { (sleepers, heap) = ([:], Heap()) }
    return sorted
  }
}

/// When a sleeper wakes.
private struct WakeTime: Sendable {
  let deadline: Duration
  let id: Int

  static func < (a: WakeTime, b: WakeTime) -> Bool {
    a.deadline == b.deadline ? a.id < b.id : a.deadline < b.deadline
  }
}

/// A binary heap: each time is before those at twice its index, plus one and two.
private struct Heap: Sendable {
  private(set) var wakeTimes: [WakeTime]

  /// - Parameter wakeTimes: In order.
  init(_ wakeTimes: [WakeTime] = []) {
    self.wakeTimes = wakeTimes
  }

  mutating func insert(_ wakeTime: WakeTime) {
    var index = wakeTimes.count
    wakeTimes.append(wakeTime)
    while index > 0, wakeTime < wakeTimes[(index - 1) / 2] {
      wakeTimes.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  @discardableResult
  mutating func removeFirst() -> WakeTime {
    wakeTimes.swapAt(0, wakeTimes.count - 1)
    let first = wakeTimes.removeLast()
    var index = 0
    while true {
      var least = index
      for child in 2 * index + 1...2 * index + 2
      where child < wakeTimes.count && wakeTimes[child] < wakeTimes[least] {
        least = child
      }
      if least == index { return first }
      wakeTimes.swapAt(index, least)
      index = least
    }
  }
}
