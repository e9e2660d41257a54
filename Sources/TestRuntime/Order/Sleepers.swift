/// The tasks that sleep on a clock, to wake in the order of their deadlines, and then of their arrival.
///
/// Use it only under a lock.
package struct Sleepers<Sleep: Sendable>: Sendable {
  package struct Sleeper: Sendable {
    fileprivate let place: Place
    package let sleep: Sleep

    package var deadline: Duration { place.deadline }
  }

  private var sleepers: [Int: Sleeper] = [:]
  /// The places of the sleepers, and of some that are gone.
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
    let place = Place(deadline: deadline, id: id)
    sleepers[id] = Sleeper(place: place, sleep: sleep)
    heap.insert(place)
  }

  /// Cancels a sleep.
  ///
  /// - Returns: The sleeper, if it already sleeps.
  package mutating func cancel(_ id: Int) -> Sleep? {
    guard let sleeper = sleepers.removeValue(forKey: id) else { return nil }
    // At most half of the places are of sleepers that are gone.
    if heap.places.count > 2 * count + 16 {
      heap = Heap(sorted.map(\.place))
    }
    return sleeper.sleep
  }

  /// The deadline of the first sleeper.
  package var nextDeadline: Duration? {
    mutating get {
      while let first = heap.places.first {
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
  package var sorted: [Sleeper] { sleepers.values.sorted { $0.place < $1.place } }

  package mutating func removeAll() -> [Sleeper] {
    defer { (sleepers, heap) = ([:], Heap()) }
    return sorted
  }
}

/// When a sleeper wakes.
private struct Place: Sendable {
  let deadline: Duration
  let id: Int

  static func < (a: Place, b: Place) -> Bool {
    a.deadline == b.deadline ? a.id < b.id : a.deadline < b.deadline
  }
}

/// A binary heap: each place is before those at twice its index, plus one and two.
private struct Heap: Sendable {
  private(set) var places: [Place]

  /// - Parameter places: In order.
  init(_ places: [Place] = []) {
    self.places = places
  }

  mutating func insert(_ place: Place) {
    var index = places.count
    places.append(place)
    while index > 0, place < places[(index - 1) / 2] {
      places.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  @discardableResult
  mutating func removeFirst() -> Place {
    places.swapAt(0, places.count - 1)
    let first = places.removeLast()
    var index = 0
    while true {
      var least = index
      for child in 2 * index + 1...2 * index + 2
      where child < places.count && places[child] < places[least] {
        least = child
      }
      if least == index { return first }
      places.swapAt(index, least)
      index = least
    }
  }
}
