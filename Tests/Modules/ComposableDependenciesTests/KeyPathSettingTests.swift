import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Setting through a key path")
struct KeyPathSettingTests {
  @Test("rule 2: setting a dependency through its key path doesn't compute the default")
  func noDefault() {
    let computed = Shared(0)
    CountedKey.$compute.withValue(Call { _ in computed.update { $0 += 1 } }) {
      let scope = DependencyScope.isolated().with(\.counted, 5)
      #expect(scope.counted == 5)
      #expect(scope.with(\.[named: "counted"], 6).counted == 6)
      #expect(scope.with(\.nested, 9).counted == 9)
      scope.setGlobally(\.counted, 7)
      #expect(DependencyScope.root.with { $0.set(\.counted, to: 8) }.counted == 8)
      #expect(computed.value == 0)
      #expect(scope.with(\.tree.negated, Tree(value: 5)).tree.value == -5)
      #expect(DependencyScope.root.counted == 1)
      #expect(computed.value == 1)
    }
  }

  @Test("rule 2: setting a part of a dependency through a key path keeps the rest of the default")
  func parts() {
    let scope = DependencyScope.root
    #expect(scope.with(\.tree.value, 5).tree == Tree(value: 5, children: ["a": Tree(value: 2)]))
    // The part has the type of the whole.
    let first = scope.with(\.tree.first, Tree(value: 9)).tree
    #expect(first == Tree(value: 1, children: ["a": Tree(value: 9)]))
    let changed = scope.with(\.tree["b"], Tree(value: 3)).tree
    #expect(changed.children == ["a": Tree(value: 2), "b": Tree(value: 3)])
    let path: WritableKeyPath<Dependencies, Tree> = \.tree
    #expect(scope.with(path.appending(path: \.["a"]), nil).tree == Tree(value: 1))
  }

  @Test("rule 2: what a key path sets can't be read after the call, or by another thread meanwhile")
  func escaped() {
    let escaped = Shared<[Dependencies]>([])
    let elsewhere = Shared<[Int]>([])
    let call = Call<Dependencies> { dependencies in
      escaped.update { $0.append(dependencies) }
      onSmallStack { elsewhere.update { $0.append(dependencies[CountedKey.self]) } }
    }
    CountedKey.$read.withValue(call) {
      #expect(DependencyScope.root.with(\.counted, 5)[CountedKey.self] == 5)
      var dependencies = Dependencies(node: DependencyScope.isolated().node)
      dependencies.set(\.ignoring, to: 5)
      #expect(dependencies[CountedKey.self] == 1)
    }
    // The optimizer may set the property directly, and then nothing is read.
    #if DEBUG
      #expect(elsewhere.value.count == 2)
    #endif
    #expect(elsewhere.value.allSatisfy { $0 == 1 })
    #expect(escaped.value.allSatisfy { $0[CountedKey.self] == 1 })
  }

  @Test("rule 2: a setter reads other dependencies of the same type")
  func setters() {
    let scope = DependencyScope.isolated()
    #expect(scope.with(\.sum, 5)[CountedKey.self] == 105)
    #expect(scope.with { $0[CountedKey.self] = 1 }.with(\.sum, 5)[CountedKey.self] == 105)
    scope.setGlobally(\.other, 200)
    #expect(scope.with(\.sum, 5)[CountedKey.self] == 205)
    #expect(scope.with { $0.other = 300 }.with(\.sum, 5)[CountedKey.self] == 305)
  }

  @Test("rule 2: a default that a part is set in reads other dependencies of the part's type")
  func defaultsOfParts() {
    _ = DependencyScope.root.with(\.limit, 5)
    #expect(DependencyScope.root[Limits.self].limit == 100)
  }

  @Test("a key path says whether it has one component")
  func components() {
    #expect((\Dependencies.counted).hasOneComponent)
    #expect((\Dependencies.[named: "counted"]).hasOneComponent)
    #expect(!(\Dependencies.tree.value).hasOneComponent)
    #expect(!(\Dependencies.tree["a"]).hasOneComponent)
    let path: WritableKeyPath<Dependencies, Tree> = \.tree
    #expect(path.hasOneComponent)
    #expect(!path.appending(path: \.negated).hasOneComponent)
  }
}

/// A closure, which optimized code of 6.3.1 can't bind by itself.
private struct Call<Input: Sendable>: Sendable {
  let function: @Sendable (Input) -> Void
}

private enum CountedKey: DependencyKey {
  @TaskLocal static var compute: Call<Void>?
  @TaskLocal static var read: Call<Dependencies>?

  static var defaultValue: Int {
    compute?.function(())
    return 1
  }
}

private enum OtherKey: DependencyKey {
  static var defaultValue: Int { 100 }
}

/// A value that is computed once, from another dependency.
private struct Limits: DependencyKey, Sendable {
  static let defaultValue = Limits(limit: DependencyScope.current[OtherKey.self])

  var limit: Int
}

/// A value whose parts may have its own type.
private struct Tree: DependencyKey, Equatable, Sendable {
  static let defaultValue = Tree(value: 1, children: ["a": Tree(value: 2)])

  var value: Int
  var children: [String: Tree] = [:]

  subscript(name: String) -> Tree? {
    get { children[name] }
    set { children[name] = newValue }
  }

  var first: Tree {
    get { children["a"] ?? Tree(value: 0) }
    set { children["a"] = newValue }
  }

  var negated: Tree {
    get { Tree(value: -value, children: children) }
    set { self = Tree(value: -newValue.value, children: newValue.children) }
  }
}

extension Dependencies {
  fileprivate var counted: Int {
    get {
      CountedKey.read?.function(self)
      return self[CountedKey.self]
    }
    set { self[CountedKey.self] = newValue }
  }

  fileprivate subscript(named name: String) -> Int {
    get { self[CountedKey.self] }
    set { self[CountedKey.self] = newValue }
  }

  /// Sets a part of another value while it is read.
  fileprivate var nested: Int {
    get {
      _ = DependencyScope.root.with(\.tree.value, 5)
      return self[CountedKey.self]
    }
    set { self[CountedKey.self] = newValue }
  }

  fileprivate var other: Int {
    get { self[OtherKey.self] }
    set { self[OtherKey.self] = newValue }
  }

  /// Adds another dependency to what is set.
  fileprivate var sum: Int {
    get { self[CountedKey.self] }
    set { self[CountedKey.self] = newValue + other }
  }

  fileprivate var limit: Int {
    get { self[Limits.self].limit }
    set { self[Limits.self].limit = newValue }
  }

  /// Sets nothing.
  fileprivate var ignoring: Int {
    get { counted }
    set {}
  }

  fileprivate var tree: Tree {
    get { self[Tree.self] }
    set { self[Tree.self] = newValue }
  }
}
