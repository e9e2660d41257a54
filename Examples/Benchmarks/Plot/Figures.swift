struct Figures {
  init(_ results: [Result]) {}
  func write(to folder: String) throws {}
}
