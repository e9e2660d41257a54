@testable import ComposableDependencies

extension Override {
  /// An override of one of 20,736 keys.
  static func ofKey(_ number: Int, value: Int = 0) -> Override { make(key(number), value) }

  /// A key for each number, of four digits.
  private enum Key<A, B, C, D>: DependencyKey {
    static var defaultValue: Int { 0 }
  }

  static func key(_ number: Int) -> any DependencyKey.Type {
    let digits: [Any.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Bool.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, String.self,
    ]
    func key<A, B, C, D>(
      _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type
    ) -> any DependencyKey.Type {
      Key<A, B, C, D>.self
    }
    func digit(_ weight: Int) -> Any.Type { digits[number / weight % 12] }
    return key(digit(1_728), digit(144), digit(12), digit(1))
  }
}
