import ComposableDependencies
import DependencyCarriers

func send(_ headers: inout [String: String]) {
  // error: instance method 'inject(_:fileID:line:into:)' requires that 'Client' conform to
  // 'CarriedKey'
  DependencyScope.current.inject(Client.self) { headers[$0] = $1 }
}
