import ComposableEnvironment

// error: type 'Wrong' does not conform to protocol 'ScopeCapturing'
struct Wrong: ComposableEnvironment {}
