import ComposableTesting
import Testing

func run(with trait: some TestTrait) {}

// error: 'dependencies' is unavailable: override dependencies, as in
//   `.dependencies { $0.retryLimit = 1 }`, or write `.isolatedDependencies`
let trait: Void = run(with: .dependencies)
