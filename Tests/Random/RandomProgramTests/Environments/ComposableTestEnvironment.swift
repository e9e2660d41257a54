import ComposableEnvironment

/// A composable environment of the programs.
protocol ComposableTestEnvironment: ComposableEnvironment, TestEnvironment {
  var stored: Int { get set }
  var life: Life { get set }
}

extension ComposableTestEnvironment {
  mutating func adopt(from other: Self) {
    stored = other.stored
    life = other.life
  }

  func value(_ path: Key.Path, byMember: Bool) -> Int {
    switch path {
    case .number(let keyPath): byMember ? self[dynamicMember: keyPath] : self[keyPath]
    case .object(let keyPath):
      byMember ? self[dynamicMember: keyPath].number : self[keyPath].number
    }
  }

  func setting(_ path: Key.Path, _ value: Int, countedBy tally: Tally, inPlace: Bool) -> Self {
    switch path {
    case .number(let keyPath):
      if !inPlace { return with(keyPath, value) }
      var copy = self
      copy[keyPath] = value
      return copy
    case .object(let keyPath):
      let token = Token(value, countedBy: tally)
      if !inPlace { return with(keyPath, token) }
      var copy = self
      copy[keyPath] = token
      return copy
    }
  }
}
