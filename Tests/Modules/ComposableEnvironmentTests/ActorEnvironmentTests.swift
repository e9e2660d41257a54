import ComposableEnvironment
import DependencyDebugging
import Synchronization
import TestSupport
import Testing

@Suite("Actors as environments")
struct ActorEnvironmentTests {
  private actor Downloader: ComposableEnvironment {
    nonisolated let scope = DependencyScope.current
    @Dependency(\.a) var declared
    @DerivedEnvironment<Child> var child
    private(set) var downloads = 0

    func download() async -> Int {
      downloads += 1
      await Task.yield()
      return declared + child.declared
    }
  }

  private struct Child: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var declared
  }

  @Test("rule 17: an actor captures the scope that creates it, and reads it on any task")
  func captures() async {
    let downloader = DependencyScope.root.with(\.a, 10).run { Downloader() }
    #expect(await Task.detached { await downloader.download() }.value == 20)
    #expect((downloader.a, downloader[\.a]) == (10, 10))
  }

  @Test("rule 17: overriding an actor creates another one, which shares no state")
  func with() async {
    let original = Downloader()
    _ = await original.download()
    let downloader = original.with(\.a, 10)
    #expect(await downloader.download() == 20)
    #expect(await original.download() == 2)
    #expect(await (original.downloads, downloader.downloads) == (2, 1))
  }

  @Test("rule 18: an actor that another environment derives keeps an override of its own")
  func derived() async {
    struct Parent: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment<Downloader> var downloader
    }
    var parent = Parent()
    parent.downloader[\.a] = 10
    #expect(await parent.with(\.b, 5).downloader.download() == 20)
  }

  @Test("overriding an actor doesn't read its state, which another task may be changing")
  func noReflection() async {
    let original = Downloader()
    let work = Task { for _ in 0..<1_000 { _ = await original.download() } }
    for number in 0..<1_000 {
      #expect(original.with(\.a, number).a == number)
      await Task.yield()
    }
    await work.value
    #expect(await original.downloads == 1_000)
  }

  private actor Reflected: ComposableEnvironment, CustomReflectable {
    static let all = Mutex<[ObjectIdentifier]>([])
    nonisolated let scope = DependencyScope.current

    nonisolated var customMirror: Mirror {
      Self.all.withLock { $0.append(ObjectIdentifier(self)) }
      return Mirror(self, children: [(label: "_child", value: DerivedEnvironment<Child>())])
    }
  }

  @Test("explaining an actor reads the derived environments of a new one")
  func explain() {
    let original = DependencyScope.isolated().with(\.a, 10).run { Reflected() }
    let explanation = original.explain()
    #expect(explanation.entries.map(\.value) == ["10"])
    #expect(explanation.children.map(\.name) == ["child"])
    let reflected = Reflected.all.withLock { $0 }
    #expect(!reflected.isEmpty && !reflected.contains(ObjectIdentifier(original)))
  }
}
