import ComposableEnvironment
import Synchronization
import TestSupport
import Testing

@Suite("Carrying assigned environments")
struct CarriedEnvironmentsTests {
  @Test("a declared child that an assigned one replaces can read the new parent when it is freed")
  func freedWhenReplaced() {
    struct Child: ComposableEnvironment { let scope = DependencyScope.current }
    struct Deriving: ComposableEnvironment {
      static let latest = Mutex<Self?>(nil)
      let scope = DependencyScope.current
      @DerivedEnvironment var child = Child().with(\.onDeinit, OnDeinit(read: Self.readLatest))

      init() {
        let created = self
        // Freed after the lock.
        _ = Self.latest.withLock { latest in
          defer { latest = created }
          return latest
        }
      }

      @Sendable static func readLatest() -> Int? { latest.withLock { $0 }?.child.a }
    }
    let original = Deriving()
    var deriving = original
    deriving.child = Child().with(\.a, 10)
    let reads = Reads()
    withExtendedLifetime(original) {
      OnDeinit.$reads.withValue(reads) {
        let reported = issues { #expect(deriving.with(\.b, 20).child.a == 10) }
        #expect(reported.isEmpty)
      }
      #expect(reads.all.withLock { $0 } == [10])
    }
  }
}

private final class Reads: Sendable {
  let all = Mutex<[Int?]>([])
}

/// Reads something when it is freed.
private final class OnDeinit: Sendable {
  @TaskLocal static var reads: Reads?

  private let read: @Sendable () -> Int?

  init(read: @escaping @Sendable () -> Int?) { self.read = read }

  deinit {
    let number = read()
    Self.reads?.all.withLock { $0.append(number) }
  }
}

private enum OnDeinitKey: DependencyKey {
  static var defaultValue: OnDeinit? { nil }
}

extension Dependencies {
  fileprivate var onDeinit: OnDeinit? {
    get { self[OnDeinitKey.self] }
    set { self[OnDeinitKey.self] = newValue }
  }
}
