/// A small, plausible mistake in a file, which one run of the tests makes.
struct Slip {
  let file: String
  let line: Int
  /// What goes wrong, in a few words and the code that it concerns.
  let text: String
  /// The number that the environment variable `SLIP` names.
  var number = 0
  /// Where code is inserted, in bytes from the file's beginning.
  let start: Int
  let end: Int
  let before: String
  let after: String

  /// Identifies a slip wherever its line moves.
  var key: String { "\(file): \(text)" }
}
