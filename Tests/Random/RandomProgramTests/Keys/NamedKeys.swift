import ComposableDependencies

// The first keys again, as properties with names.
extension Dependencies {
  var k0: Int {
    get { self[NumberKey<Zero, Zero>.self] }
    set { self[NumberKey<Zero, Zero>.self] = newValue }
  }

  var k1: Int {
    get { self[NumberKey<Zero, One>.self] }
    set { self[NumberKey<Zero, One>.self] = newValue }
  }

  var k2: Token {
    get { self[ObjectKey<Zero, Two>.self] }
    set { self[ObjectKey<Zero, Two>.self] = newValue }
  }

  var k3: Token {
    get { self[ObjectKey<Zero, Three>.self] }
    set { self[ObjectKey<Zero, Three>.self] = newValue }
  }

  var k4: Int {
    get { self[NumberKey<Zero, Four>.self] }
    set { self[NumberKey<Zero, Four>.self] = newValue }
  }

  var k5: Int {
    get { self[NumberKey<Zero, Five>.self] }
    set { self[NumberKey<Zero, Five>.self] = newValue }
  }

  var k6: Int {
    get { self[NumberKey<Zero, Six>.self] }
    set { self[NumberKey<Zero, Six>.self] = newValue }
  }

  var k7: Int {
    get { self[NumberKey<Zero, Seven>.self] }
    set { self[NumberKey<Zero, Seven>.self] = newValue }
  }
}
