private enum TypingClockKey: DependencyKey {
  static let defaultValue: any Clock<Duration> = ContinuousClock()
}

extension Dependencies {
  var typingClock: any Clock<Duration> {
    get { self[TypingClockKey.self] }
    set { self[TypingClockKey.self] = newValue }
  }
}

@Suite("The code of Reducers and effects")
private struct ReducersAndEffects {
  private let driven = DrivenClock()

  @Test("a feature waits until nobody types")
  func feature() async {
    await withDependencies {
      $0.typingClock = driven.clock
    } operation: {
      let store = Store(
        initialState: SearchPage(), reducer: searchPageReducer, environment: SearchPageEnvironment()
      )
      let task = await store.send(.queryChanged("swift"))
      await driven.advance(by: .milliseconds(300))
      await task.finish()
      #expect(await store.state.results == ["live result for swift"])
      await store.send(.queryChanged("swift 6"))
      await store.send(.closed).finish()
      #expect(await store.state.results == ["live result for swift"])
    }
  }

  @Test("a store")
  func store() async {
    // block: let store = Store(
    #expect(results == ["live result for swift"])
  }

  @Test("a parent")
  func parent() async {
    await withDependencies {
      $0.apiClient.search = { ["\($0) \(DependencyScope.current.retryLimit)"] }
    } operation: {
      let store = Store(
        initialState: Browser(tabs: [Tab(id: 1)]), reducer: browserReducer,
        environment: BrowserEnvironment())
      await store.send(.tab(1, .queryChanged("tab"))).finish()
      await store.send(.start(.queryChanged("start"))).finish()
      #expect(await store.state.tabs[id: 1]?.page.results == ["tab 3"])
      #expect(await store.state.start.results == ["start 1"])
      await store.send(.tabClosed(1))
      #expect(await store.state.tabs.isEmpty)
    }
  }

  @Test("two tabs search, each with its own debounce")
  func tabs() async {
    await withDependencies {
      $0.typingClock = driven.clock
    } operation: {
      let store = Store(
        initialState: Browser(tabs: [Tab(id: 1), Tab(id: 2)]), reducer: browserReducer,
        environment: BrowserEnvironment())
      let tasks = [
        await store.send(.tab(1, .queryChanged("a"))),
        await store.send(.tab(2, .queryChanged("b"))),
      ]
      await driven.advance(by: .milliseconds(300))
      for task in tasks { await task.finish() }
      #expect(await store.state.tabs.map(\.page.results.count) == [1, 1])
    }
  }

  @Test("a child store takes a case")
  @MainActor
  func casePath() {
    let browserStore = ObservableStore(
      initialState: Browser(tabs: [Tab(id: 1)]), reducer: browserReducer,
      environment: BrowserEnvironment())
    let tabs = browserStore.children(state: \.tabs, action: BrowserAction.tab)
    tabs[id: 1]?.send(.found(["b"]))
    #expect(browserStore.tabs[id: 1]?.page.results == ["b"])
  }
}
