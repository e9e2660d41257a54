import LinkChecking
import Synchronization

/// The files that no worker has taken yet.
final class WorkQueue: Sendable {
  struct Item {
    let index: Int
    let file: Path
    /// The number of workers that ended while they checked it.
    var attempts = 0
  }

  private let items: Mutex<[Item]>

  init(_ files: [Path]) {
    let items = files.enumerated().map { Item(index: $0.offset, file: $0.element) }
    self.items = Mutex(items.reversed())
  }

  func next() -> Item? { items.withLock { $0.popLast() } }

  func giveBack(_ item: Item) { items.withLock { $0.append(item) } }

  var isEmpty: Bool { items.withLock { $0.isEmpty } }
}
