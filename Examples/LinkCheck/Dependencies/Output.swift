package import ComposableEnvironment
import Foundation

/// The output of the program.
package struct Output: DependencyKey {
  package static let defaultValue = Output(
    showsProgress: isatty(STDERR_FILENO) == 1,
    write: { text, stream in
      let handle: FileHandle =
        switch stream {
        case .standardOutput: .standardOutput
        case .standardError: .standardError
        }
      try handle.write(contentsOf: Data(text.utf8))
    }
  )

  /// An error that says why something couldn't be written.
  package struct Failure: Error, CustomStringConvertible {
    let reason: String
    package var description: String { "cannot write: \(reason)" }
  }

  package enum Stream {
    case standardOutput
    case standardError
  }

  /// Whether there is a terminal for the progress line.
  package var showsProgress: Bool

  /// Writes a text unchanged; called from many tasks concurrently.
  package var write: @Sendable (_ text: String, _ stream: Stream) throws -> Void

  /// The text before the progress line.
  package private(set) var tag = ""

  package init(showsProgress: Bool, write: @escaping @Sendable (String, Stream) throws -> Void) {
    self.showsProgress = showsProgress
    self.write = write
  }
}

extension Output {
  /// Returns the same output, with a tag that distinguishes its progress line.
  package func tagged(_ tag: String) -> Output {
    var copy = self
    copy.tag += tag + " "
    return copy
  }

  /// Prints a line of the result.
  ///
  /// If that fails, the program hasn't done its work.
  ///
  /// - Throws: An error if the line can't be written, for example because the disk is full.
  package func print(_ text: String) throws(Failure) {
    do {
      try write(text + "\n", .standardOutput)
    } catch {
      throw Failure(reason: error.localizedDescription)
    }
  }

  /// Prints a line that isn't part of the result.
  package func printError(_ text: String) {
    try? write(text + "\n", .standardError)
  }

  /// Rewrites the progress line in place, without wrapping, so that a long line leaves no trail.
  package func progress(_ text: String) {
    guard showsProgress else { return }
    try? write("\r\u{1B}[K\u{1B}[?7l\(tag)\(text)\u{1B}[?7h", .standardError)
  }

  /// Erases the progress line.
  package func endProgress() {
    guard showsProgress else { return }
    try? write("\r\u{1B}[K", .standardError)
  }
}

extension Dependencies {
  /// The output of the program, tagged with a file's name while the file is checked.
  package var output: Output {
    get { self[Output.self] }
    set { self[Output.self] = newValue }
  }
}
