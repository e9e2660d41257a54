import TestSupport
import Testing

@testable import ComposableDependencies

/// Code that runs when something is freed uses the identities of overrides, so no lock may be held.
@Suite("Freeing with the identities of overrides")
struct IdentityFreeingTests {
  private enum InputKey: DependencyKey { static var defaultValue: Int { 0 } }
  private enum OtherKey: DependencyKey { static var defaultValue: Int { 0 } }
  private enum TrackedKey: DependencyKey { static var defaultValue: Tracked? { nil } }

  private static func override<Key: DependencyKey>(
    _ key: Key.Type, _ value: Key.Value
  ) -> KeptOverride {
    OverrideNode.single(Key.self, layout: Key.valueLayout) { $0.initialize(to: value) }
  }

  /// An instance that is dropped already, because its list is freed.
  private static func dropped(_ value: KeptOverride) -> SharedInstance {
    SharedInstance(
      value, identities: [], globals: [], inputs: InputList([], next: nil),
      in: SharedInstances(over: .process))
  }

  @Test("an instance that an override forgets can run code that adds another one to it")
  func forgotten() {
    let alive = AliveCounter()
    let identity = Self.override(InputKey.self, 0).read(\.identityOfInput)
    for _ in 0..<40 {
      let value = Tracked(alive) { [weak identity] in
        identity?.add(Self.dropped(Self.override(InputKey.self, 0)))
        return 0
      }
      identity.add(Self.dropped(Self.override(TrackedKey.self, value)))
    }
    #expect(alive.count < 10)
  }

  /// An override that was copied before a shared key has read it, and has an identity.
  private static func copied() -> KeptOverride {
    let original = override(OtherKey.self, 0)
    _ = original.copy()
    _ = original.read(\.knownIdentity)
    return original
  }

  @Test("two threads free identities and what was made from them, which makes other identities")
  func freeingOnThreads() async {
    // In a process of its own, because a thread that looks for freed identities retains the others,
    // and other tests expect what they free to be gone at once.
    await #expect(processExitsWith: .success) {
      let alive = AliveCounter()
      onTwoThreads(rounds: 600) { _, _ in
        let overrides = (0..<60).map { _ in
          let original = Self.copied()
          let value = Tracked(alive) { Self.copied().read { $0.value(as: Int.self) } }
          original.read(\.knownIdentity)!.add(
            Self.dropped(Self.override(TrackedKey.self, value)))
          return original
        }
        withExtendedLifetime(overrides) {}
      }
      precondition(alive.count == 0)
    }
  }
}
