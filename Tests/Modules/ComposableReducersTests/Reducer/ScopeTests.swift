import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Scopes of reducers and effects")
struct ScopeTests {
  @Test("rule 22: a reducer runs in its environment's scope, or in the one that created the store")
  func environmentsScope() async {
    let environment = Composable().with(\.a, 7)
    let stores = DependencyScope.root.with(\.a, 10).run {
      (
        Store(initialState: [], reducer: recorder("composable"), environment: environment),
        Store(initialState: [], reducer: recorder("void"), environment: ())
      )
    }
    await withDependencies {
      $0.a = 99
      $0.b = 99
    } operation: {
      await stores.0.send(.record)
      await stores.1.send(.record)
    }
    #expect(await stores.0.state == ["composable 7 2"])
    #expect(await stores.1.state == ["void 10 2"])
  }

  @Test("rule 22: a pulled-back reducer runs in its own environment's scope")
  func pulledBackScope() async {
    let reducer = Reducer<[String], Action, Parent>.combine(
      recorder("named", environment: Composable.self).pullback(
        state: \.self, action: .identity, environment: \.named),
      recorder("made", environment: Composable.self).pullback(
        state: \.self, action: .identity),
      recorder("parent"))
    let store = Store(initialState: [], reducer: reducer, environment: Parent().with(\.b, 20))
    await store.send(.record)
    #expect(await store.state == ["named 7 20", "made 1 20", "parent 1 20"])
  }

  @Test("rule 22: an environment without a scope uses its parent's, at any depth")
  func mixedScopes() async {
    let leaf = recorder("leaf", environment: Composable.self)
    let global = leaf.pullback(state: \[String].self, action: .identity) as Reducer<_, _, Global>
    let plain = global.pullback(state: \.self, action: .identity) as Reducer<_, _, String>
    let reducer = Reducer<[String], Action, Parent>.combine(
      plain.pullback(state: \.self, action: .identity, environment: { _ in "no scope" }),
      recorder("void", environment: Void.self).pullback(
        state: \.self, action: .identity, environment: { _ in }))
    let store = Store(initialState: [], reducer: reducer, environment: Parent().with(\.a, 10))
    await store.send(.record)
    #expect(await store.state == ["leaf 10 2", "void 10 2"])
  }

  @Test("rule 22: a pulled-back reducer runs in the scope of its environment for this action")
  func changingScope() async {
    let number = Shared(0)
    let reducer: Reducer<[String], Action, Parent> = recorder("", environment: Composable.self)
      .pullback(
        state: \.self, action: .identity, environment: { _ in Composable().with(\.a, number.value) }
      )
    let store = Store(initialState: [], reducer: reducer, environment: Parent().with(\.b, 20))
    for next in [10, 10, 11] {
      number.update { $0 = next }
      await store.send(.record)
    }
    #expect(await store.state == [" 10 20", " 10 20", " 11 20"])
  }

  @Test("rule 22: a pullback creates another environment in another scope of its parent")
  func madeForScope() async {
    let number = Shared(0)
    let made: Reducer<[String], Action, Composable> = recorder("", environment: Composable.self)
      .pullback(state: \.self, action: .identity)
    let reducer: Reducer<[String], Action, Void> = made.pullback(
      state: \.self, action: .identity, environment: { _ in Composable().with(\.a, number.value) })
    let store = Store(initialState: [], reducer: reducer, environment: ())
    for next in [10, 11, 10] {
      number.update { $0 = next }
      await store.send(.record)
    }
    #expect(await store.state == [" 10 2", " 11 2", " 10 2"])
  }

  @Test("a pullback creates its environment once per store")
  func madeOnce() async {
    let tokens = Reducer<[Tracked], Action, WithToken> { state, _, environment in
      state.append(environment.token)
      return .none
    }
    let reducer: Reducer<[Tracked], Action, Void> = tokens.pullback(
      state: \.self, action: .identity)
    let store = Store(initialState: [], reducer: reducer, environment: ())
    let other = Store(initialState: [], reducer: reducer, environment: ())
    await store.send(.record)
    await other.send(.record)
    await store.send(.record)
    #expect(await Set(store.state).count == 1)
    #expect(await Set(store.state + other.state).count == 2)
  }

  @Test(
    "rule 23: an effect keeps its reducer's scope, and its actions are reduced in the store's scopes",
    arguments: [false, true])
  func effectsScope(isPulledBack: Bool) async {
    let (started, log) = (Gate(), Log())
    @Sendable func read(_ moment: String) { log.append("\(moment) \(DependencyScope.current.a)") }
    let reducer = Reducer<Int, Action, Composable> { _, action, _ in
      read("\(action)")
      guard case .record = action else { return .none }
      return .run { send in
        read("start")
        await MainActor.run { read("on an actor") }
        await withTaskGroup { $0.addTask { read("child") } }
        await withDependencies {
          $0.a = 99
        } operation: {
          await send(.recorded("of 99"))
        }
        started.open()
        try? await Task.sleep(for: .seconds(1_000_000))
        read("cancelled")
      }
    }
    let parent: Reducer<Int, Action, Parent> = reducer.pullback(
      state: \.self, action: .identity, environment: \.named)
    let store =
      isPulledBack
      ? Store(initialState: 0, reducer: parent, environment: Parent())
      : Store(initialState: 0, reducer: reducer, environment: Composable().with(\.a, 7))
    let task = await DependencyScope.root.with(\.a, 98).run { await store.send(.record) }
    await started.wait()
    await task.cancelAndFinish()
    #expect(
      log.lines == [
        "record 7", "start 7", "on an actor 7", "child 7", "recorded(\"of 99\") 7", "cancelled 7",
      ])
  }

  @Test("rule 23: a part of an operation runs in the scope in which the operation starts it")
  func partsOfOperations() async {
    let store = recordingStore { _ in
      .run { send in
        try await withDependencies {
          $0.a = 10
        } operation: {
          try await send.withTaskCancellation(id: 1) { send in
            await send(.record("\(DependencyScope.current.a)"))
          }
        }
      }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["10"])
  }

  @Test("rule 23: nothing accumulates along a chain of effects and actions")
  func longChain() async {
    // The allocations of a new task grow with the bindings of the task that creates it.
    let costs = Mutex<[Allocations]>([])
    let feature = Reducer<Int, Int, Composable> { state, action, _ in
      state = action
      guard action > 0 else { return .none }
      return .run { send in
        let cost = Allocations { Task {} }
        costs.withLock { $0.append(cost) }
        await send(action - 1)
      }
    }
    let reducer = Reducer<Int, Int, Parent>.combine(
      // Even and odd actions have different scopes, so that every effect enters another one.
      feature.pullback(state: \.self, action: parity(0), environment: \.named),
      feature.pullback(state: \.self, action: parity(1)))
    let store = Store(initialState: -1, reducer: reducer, environment: Parent())
    await store.send(2_000).finish()
    #expect(await store.state == 0)
    let allocated = costs.withLock { $0.map(\.allocated) }
    #expect(allocated.count == 2_000)
    #expect(allocated.suffix(100).max() ?? 0 <= (allocated.prefix(100).max() ?? 0) + 2)
  }

  @Test(
    "rule 23: a map's closure runs in the scope of the reducer, whatever scope sends",
    arguments: [false, true])
  func maps(isAction: Bool) async {
    let reducer = Reducer<Int, Int?, Int> { state, action, _ in
      if let action {
        state = action
        return .none
      }
      let effect =
        isAction
        ? Effect<Bool>.merge(.send(true), .send(true))
        : .run { send in
          await withDependencies {
            $0.a = 99
          } operation: {
            await send(true)
          }
        }
      return effect.map { _ in DependencyScope.current.a }
    }
    let store = withDependencies {
      $0.a = 7
    } operation: {
      Store(initialState: 0, reducer: reducer, environment: 0)
    }
    await withDependencies {
      $0.a = 98
    } operation: {
      await store.send(nil).finish()
    }
    #expect(await store.state == 7)
  }

  @Test("rule 23: an override around `.run` in a reducer doesn't reach the effect, and is reported")
  func overridesAroundEffects() async {
    let line = Shared<UInt>(0)
    let feature = Reducer<[String], Action, Composable> { state, action, _ in
      guard case .record = action else {
        state.append("\(action)")
        return .none
      }
      return withDependencies {
        $0.a = 99
      } operation: {
        line.update { $0 = #line + 1 }
        return .run { await $0(.recorded("\(DependencyScope.current.a)")) }
      }
    }
    let child: Reducer<[String], Action, Parent> = feature.pullback(
      state: \.self, action: .identity, environment: \.named)
    let store = Store(
      initialState: [], reducer: feature, environment: Composable().with(\.a, 7))
    let parent = Store(initialState: [], reducer: child, environment: Parent())
    for store in [store, parent] {
      let reported = await issues { await store.send(.record).finish() }
      #expect(await store.state == ["recorded(\"7\")"])
      #expect(reported.allSatisfy { $0.fileID == #fileID && $0.line == line.value })
      #if DEBUG
        #expect(reported.count == 1)
      #else
        #expect(reported == [])
      #endif
    }
  }

  @Test("an effect isn't reported that is created in its reducer's scope, or outside of reducers")
  func effectsWithoutOverrides() async {
    let made: Effect<Action> = withDependencies {
      $0.a = 99
    } operation: {
      .run { await $0(.recorded("made \(DependencyScope.current.a)")) }
    }
    let called = Reducer<[String], Action, Void> { _, _, _ in
      .run { await $0(.recorded("called \(DependencyScope.current.a)")) }
    }
    let feature = Reducer<[String], Action, Composable> { state, action, _ in
      guard case .record = action else {
        state.append("\(action)")
        return .none
      }
      let other = withDependencies {
        $0.a = 98
      } operation: {
        called(&state, .record, ())
      }
      let nested = Effect<Action>.run { send in
        await withDependencies {
          $0.a = 97
        } operation: {
          let reducer = recordingStore { _ in .run { await $0(.record("stored")) } }
          await reducer.send(.start(0)).finish()
          await send(.recorded("\(await reducer.state)"))
        }
      }
      return .concatenate(made, other, nested)
    }
    let reducer = Reducer<[String], Action, Parent>.combine(
      feature.pullback(state: \.self, action: .identity, environment: \.named))
    let reported = await issues {
      let store = Store(initialState: [], reducer: reducer, environment: Parent())
      await store.send(.record).finish()
      let expected = ["made 7", "called 98", "[\"stored\"]"].map { "\(Action.recorded($0))" }
      #expect(await store.state == expected)
    }
    #expect(reported == [])
  }

  private func parity(_ remainder: Int) -> CasePath<Int, Int> {
    CasePath(embed: { $0 }, extract: { $0 % 2 == remainder ? $0 : nil })
  }
}

private enum Action: Sendable {
  case record
  case recorded(String)
}

private func recorder<Environment>(
  _ name: String, environment: Environment.Type = Environment.self
) -> Reducer<[String], Action, Environment> {
  Reducer { state, _, _ in
    let scope = DependencyScope.current
    state.append("\(name) \(scope.a) \(scope.b)")
    return .none
  }
}

private struct Composable: ComposableEnvironment {
  let scope = DependencyScope.current
}

private struct Global: GlobalEnvironment {}

private struct Parent: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment var named = Composable().with(\.a, 7)
}

private struct WithToken: ComposableEnvironment {
  let scope = DependencyScope.current
  let token = Tracked()
}
