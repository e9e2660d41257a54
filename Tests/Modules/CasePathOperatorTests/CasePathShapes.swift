import CasePathOperator

/// Enums of many shapes, each with a root of every case: `Shapes.all` checks the laws of their paths.
///
/// Edit them by hand: a shape is an enum, its `roots`, and a check for each case.
enum Shapes {
  static let all: [@Sendable (LawOfPaths) -> Void] = [
    { law in
      law.check(Shape0.roots, 0, of: /Shape0.c0, [Dog()])
      law.check(Shape0.roots, 1, of: /Shape0.c1, ["c"])
    },
    { law in
      law.check(Shape1.roots, 0, of: /Shape1.c0(x:), [.only])
      law.check(Shape1.roots, 1, of: /Shape1.c1(x:), [[], [1, 2]])
    },
    { law in
      law.check(Shape2.roots, 0, of: /Shape2.c0, [0, 255])
      law.check(
        Shape2.roots, 1, of: /Shape2.c1(x:y:),
        [("", "longer than fifteen bytes"), ("longer than fifteen bytes", "")])
      law.check(Shape2.roots, 2, of: /.c2)
    },
    { law in
      law.check(Shape3.roots, 0, of: /Shape3.c0, [0, -1])
    },
    { law in
      law.check(Shape4.roots, 0, of: /Shape4.c0, [Nothing()])
    },
    { law in
      law.check(Shape5.roots, 0, of: /Shape5.c0, [Dog()])
      law.check(Shape5.roots, 1, of: /.c1)
      law.check(Shape5.roots, 2, of: /Shape5.c2, ["c"])
      law.check(Shape5.roots, 3, of: /.c3)
      law.check(Shape5.roots, 4, of: /Shape5.c4, [true, false])
      law.check(Shape5.roots, 5, of: /Shape5.c5(x:), [0.5, -0.0])
    },
    { law in
      law.check(Shape6.roots, 0, of: /Shape6.c0(x:y:), [("c", (1, true)), ("c", (1, true))])
      law.check(Shape6.roots, 1, of: /Shape6.c1(x:), [nil, 3])
    },
    { law in
      law.check(Shape7.roots, 0, of: /Shape7.c0(x:), [.success(1), .failure(Failure())])
      law.check(Shape7.roots, 1, of: /Shape7.c1, ["c"])
      law.check(Shape7.roots, 2, of: /Shape7.c2(x:), [0, -1])
    },
    { law in
      law.check(Shape8.roots, 0, of: /Shape8.c0, [(false, false), (true, false)])
      law.check(Shape8.roots, 1, of: /.c1)
      law.check(Shape8.roots, 2, of: /Shape8.c2(x:y:), [(Nothing(), [:]), (Nothing(), [:])])
      law.check(Shape8.roots, 3, of: /Shape8.c3, [(.h4(3), 255, Dog()), (.a0(true), 0, Dog())])
      law.check(Shape8.roots, 4, of: /Shape8.c4, [Failure(code: 3)])
      law.check(Shape8.roots, 5, of: /Shape8.c5, [Failure.self])
      law.check(Shape8.roots, 6, of: /Shape8.c6, [.tapped, .renamed("a")])
      law.check(Shape8.roots, 7, of: /Shape8.c7(x:), [.only(4)])
    },
    { law in
      law.check(Shape9.roots, 0, of: /.c0)
      law.check(Shape9.roots, 1, of: /Shape9.c1(x:), [true, false])
      law.check(Shape9.roots, 2, of: /Shape9.c2, [(-1, 0), (-1, 0)])
      law.check(Shape9.roots, 3, of: /.c3)
      law.check(Shape9.roots, 4, of: /Shape9.c4(x:), [.tapped, .renamed("a")])
      law.check(Shape9.roots, 5, of: /Shape9.c5, [Unowned()])
    },
    { law in
      law.check(Shape10.roots, 0, of: /Shape10.c0, [nil, .some(nil), 3])
      law.check(Shape10.roots, 1, of: /Shape10.c1(x:y:), [(0, 0), (0, 255)])
      law.check(Shape10.roots, 2, of: /Shape10.c2, [(Dog(), Dog()), (Dog(), Dog())])
    },
    { law in
      law.check(Shape11.roots, 0, of: /.c0)
      law.check(Shape11.roots, 1, of: /Shape11.c1(x:), [.tapped, .renamed("a")])
      law.check(Shape11.roots, 2, of: /.c2)
    },
    { law in
      law.check(Shape12.roots, 0, of: /Shape12.c0, ["c"])
      law.check(Shape12.roots, 1, of: /Shape12.c1(x:), [true, false])
      law.check(Shape12.roots, 2, of: /Shape12.c2, ["", "longer than fifteen bytes"])
    },
    { law in
      law.check(Shape13.roots, 0, of: /Shape13.c0, [nil, .some(nil), 3])
      law.check(Shape13.roots, 1, of: /.c1)
      law.check(Shape13.roots, 2, of: /Shape13.c2, ["", "longer than fifteen bytes"])
      law.check(Shape13.roots, 3, of: /Shape13.c3(x:), [true, false])
    },
    { law in
      law.check(Shape14.roots, 0, of: /.c0)
      law.check(Shape14.roots, 1, of: /Shape14.c1, [(Wide(), nil), (Wide(), nil)])
      law.check(Shape14.roots, 2, of: /.c2)
      law.check(Shape14.roots, 3, of: /Shape14.c3, [Dog()])
    },
    { law in
      law.check(Shape15.roots, 0, of: /.c0)
      law.check(Shape15.roots, 1, of: /.c1)
      law.check(Shape15.roots, 2, of: /Shape15.c2, [.empty, .full(())])
      law.check(Shape15.roots, 3, of: /Shape15.c3(x:), [nil])
      law.check(Shape15.roots, 4, of: /.c4)
      law.check(Shape15.roots, 5, of: /.c5)
      law.check(Shape15.roots, 6, of: /Shape15.c6(x:), [true, false])
      law.check(Shape15.roots, 7, of: /.c7)
      law.check(Shape15.roots, 8, of: /Shape15.c8, [("", ""), ("", "longer than fifteen bytes")])
      law.check(Shape15.roots, 9, of: /Shape15.c9, [(.h4(3), 0, 1), (.a0(true), 0, 1)])
      law.check(Shape15.roots, 10, of: /Shape15.c10, [()])
      law.check(Shape15.roots, 11, of: /Shape15.c11, [(Dog(), Dog()), (Dog(), Dog())])
      law.check(Shape15.roots, 12, of: /Shape15.c12, [.only])
      law.check(Shape15.roots, 13, of: /Shape15.c13, [("c", "c"), ("c", "c")])
    },
  ]
}

private enum Shape0 {
  case c0(Dog)
  case c1(Character)

  static var roots: [Shape0] {
    [.c0(Dog()), .c1("c")]
  }
}

private enum Shape1 {
  case c0(x: Unit)
  indirect case c1(x: [Int])

  static var roots: [Shape1] {
    [.c0(x: .only), .c1(x: [])]
  }
}

private enum Shape2 {
  case c0(UInt8)
  case c1(x: String, y: String)
  case c2

  static var roots: [Shape2] {
    [.c0(0), .c1(x: "longer than fifteen bytes", y: "longer than fifteen bytes"), .c2]
  }
}

private enum Shape3 {
  case c0(Int)

  static var roots: [Shape3] {
    [.c0(0)]
  }
}

indirect private enum Shape4 {
  case c0(Nothing)

  static var roots: [Shape4] {
    [.c0(Nothing())]
  }
}

private enum Shape5 {
  indirect case c0(Animal)
  case c1
  case c2(Character)
  case c3
  case c4(Bool)
  case c5(x: Double)

  static var roots: [Shape5] {
    [.c0(Dog()), .c1, .c2("c"), .c3, .c4(false), .c5(x: -0.0)]
  }
}

private enum Shape6 {
  case c0(x: Character, y: (Int, Bool))
  case c1(x: Int?)

  static var roots: [Shape6] {
    [.c0(x: "c", y: (1, true)), .c1(x: 3)]
  }
}

private enum Shape7 {
  case c0(x: Result<Int, Failure>)
  case c1(Character)
  case c2(x: Int)

  static var roots: [Shape7] {
    [.c0(x: .success(1)), .c1("c"), .c2(x: -1)]
  }
}

indirect private enum Shape8 {
  case c0(Bool, Bool)
  case c1
  case c2(x: Nothing, y: [String: Leaf])
  case c3(Many, UInt8, Animal)
  case c4(any Error)
  case c5(any Error.Type)
  case c6(Leaf)
  case c7(x: Single)

  static var roots: [Shape8] {
    [
      .c0(false, false), .c1, .c2(x: Nothing(), y: ["a": .tapped]), .c3(.h4(3), 0, Dog()),
      .c4(Failure(code: 3)), .c5(Failure.self), .c6(.tapped), .c7(x: .only(4)),
    ]
  }
}

private enum Shape9 {
  case c0
  case c1(x: Bool)
  case c2(Int, Int)
  case c3
  indirect case c4(x: Leaf)
  case c5(Unowned)

  static var roots: [Shape9] {
    [.c0, .c1(x: false), .c2(0, -1), .c3, .c4(x: .tapped), .c5(Unowned())]
  }
}

private enum Shape10 {
  case c0(Int??)
  case c1(x: UInt8, y: UInt8)
  indirect case c2(Dog, Dog)

  static var roots: [Shape10] {
    [.c0(.some(nil)), .c1(x: 0, y: 255), .c2(Dog(), Dog())]
  }
}

private enum Shape11 {
  case c0
  case c1(x: Leaf)
  case c2

  static var roots: [Shape11] {
    [.c0, .c1(x: .tapped), .c2]
  }
}

private enum Shape12 {
  case c0(Character)
  case c1(x: Bool)
  indirect case c2(String)

  static var roots: [Shape12] {
    [.c0("c"), .c1(x: true), .c2("longer than fifteen bytes")]
  }
}

private enum Shape13 {
  case c0(Int??)
  case c1
  case c2(String)
  case c3(x: Bool)

  static var roots: [Shape13] {
    [.c0(.some(nil)), .c1, .c2(""), .c3(x: false)]
  }
}

private enum Shape14 {
  case c0
  case c1(Wide, Never?)
  case c2
  case c3(Animal)

  static var roots: [Shape14] {
    [.c0, .c1(Wide(), nil), .c2, .c3(Dog())]
  }
}

private enum Shape15 {
  case c0
  case c1
  case c2(Box<Void>)
  case c3(x: Never?)
  case c4
  case c5
  case c6(x: Bool)
  case c7
  case c8(String, String)
  case c9(Many, UInt8, Any)
  case c10(Void)
  case c11(Dog, Dog)
  case c12(Unit)
  case c13(Character, Character)

  static var roots: [Shape15] {
    [
      .c0, .c1, .c2(.full(())), .c3(x: nil), .c4, .c5, .c6(x: false), .c7, .c8("", ""),
      .c9(.h4(3), 255, "a"), .c10(()), .c11(Dog(), Dog()), .c12(.only), .c13("c", "c"),
    ]
  }
}
