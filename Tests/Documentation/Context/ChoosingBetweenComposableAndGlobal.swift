@Test("a composable child of a global environment")
private func both() {
  // block: let main =
}
