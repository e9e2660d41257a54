import ComposableDependencies

extension Dependencies {
  subscript<High: Digit, Low: Digit>(number number: Number<High, Low>) -> Int {
    get { self[NumberKey<High, Low>.self] }
    set { self[NumberKey<High, Low>.self] = newValue }
  }

  subscript<High: Digit, Low: Digit>(object number: Number<High, Low>) -> Token {
    get { self[ObjectKey<High, Low>.self] }
    set { self[ObjectKey<High, Low>.self] = newValue }
  }

  subscript(key: Key) -> Int {
    switch key.path {
    case .number(let keyPath): self[keyPath: keyPath]
    case .object(let keyPath): self[keyPath: keyPath].number
    }
  }

  mutating func set(_ path: Key.Path, _ value: Int, countedBy tally: Tally) {
    switch path {
    case .number(let keyPath): self[keyPath: keyPath] = value
    case .object(let keyPath): self[keyPath: keyPath] = Token(value, countedBy: tally)
    }
  }

  /// Computed from a plain key, an object, and a key with a computed default.
  var blend: Int { k1 + 3 * k2.number + 7 * k6 }
}

extension DependencyScope {
  subscript(path: Key.Path) -> Int {
    switch path {
    case .number(let keyPath): self[keyPath]
    case .object(let keyPath): self[keyPath].number
    }
  }

  subscript(key: Key) -> Int { self[key.path] }
}
