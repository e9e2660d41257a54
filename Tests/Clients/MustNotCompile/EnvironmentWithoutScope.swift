import ComposableEnvironment

// error: type 'Feature' does not conform to protocol 'ScopeCapturing'
struct Feature: ComposableEnvironment {}
