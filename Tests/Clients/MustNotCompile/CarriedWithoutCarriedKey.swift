import ComposableDependencies
import DependencyCarriers

enum TokenKey: DependencyKey {
  static var defaultValue: String { "" }
}

func send(_ headers: inout [String: String]) {
  // error: instance method 'inject(_:fileID:line:into:)' requires that 'TokenKey' conform to
  // 'CarriedKey'
  DependencyScope.current.inject(TokenKey.self) { headers[$0] = $1 }
}

func receive(_ headers: [String: String]) -> DependencyScope {
  // error: instance method 'extracting(_:fileID:line:from:)' requires that 'TokenKey' conform to
  // 'CarriedKey'
  DependencyScope.current.extracting(TokenKey.self) { headers[$0] }
}
