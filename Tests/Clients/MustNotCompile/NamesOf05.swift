import ComposableEnvironment

func clear() {
  // error: 'reset()' has been renamed to 'resetGlobalValues()'
  Dependencies.reset()
  // error: 'clearAliases()' has been renamed to 'clearGlobalAliases()'
  Dependencies.clearAliases()
}
