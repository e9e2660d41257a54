import ComposableEnvironment
import Foundation

/// Where the program writes to.
struct Output: DependencyKey {
  static let defaultValue = Output(
    showsProgress: isatty(STDERR_FILENO) == 1,
    write: { text, stream in
      let handle: FileHandle =
        switch stream {
        case .standardOutput: .standardOutput
        case .standardError: .standardError
        }
      try? handle.write(contentsOf: Data(text.utf8))
    }
  )

  enum Stream {
    case standardOutput
    case standardError
  }

  /// Whether there is a terminal to show the progress line on.
  var showsProgress: Bool

  /// Writes a text as it is; called from many tasks at once.
  var write: @Sendable (_ text: String, _ stream: Stream) -> Void

  /// What the progress line tells before its text.
  private(set) var tag = ""

  init(showsProgress: Bool, write: @escaping @Sendable (String, Stream) -> Void) {
    self.showsProgress = showsProgress
    self.write = write
  }
}

extension Output {
  /// The same output, for somebody whose progress is to be told from that of others.
  func tagged(_ tag: String) -> Output {
    var copy = self
    copy.tag += tag + " "
    return copy
  }

  func print(_ text: String) {
    write(text + "\n", .standardOutput)
  }

  func printError(_ text: String) {
    write(text + "\n", .standardError)
  }

  /// Rewrites the progress line in place; without line wrapping, lest a long one leaves a trail.
  func progress(_ text: String) {
    guard showsProgress else { return }
    write("\r\u{1B}[K\u{1B}[?7l\(tag)\(text)\u{1B}[?7h", .standardError)
  }

  /// Erases the progress line.
  func endProgress() {
    guard showsProgress else { return }
    write("\r\u{1B}[K", .standardError)
  }
}

extension Dependencies {
  /// Where the program writes to; while a file is checked, tagged with its name.
  var output: Output {
    get { self[Output.self] }
    set { self[Output.self] = newValue }
  }
}
