private enum FactKey: DependencyKey {
  static var defaultValue: @Sendable (Int) async throws -> String { { "\($0) is even" } }
}

extension Dependencies {
  fileprivate var fact: @Sendable (Int) async throws -> String {
    get { self[FactKey.self] }
    set { self[FactKey.self] = newValue }
  }
}

@Test("the feature of Coming from The Composable Architecture 1.x")
private func stepper() async {
  let store = Store(
    initialState: Stepper(count: 1), reducer: stepperReducer, environment: StepperEnvironment())
  await store.send(.incremented)
  await store.send(.factTapped).finish()
  #expect(await store.state == Stepper(count: 2, fact: "2 is even"))
}
