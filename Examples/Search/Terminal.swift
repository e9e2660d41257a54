import Foundation

/// A terminal that hands over each key at once, and a screen at its bottom.
final class Terminal: Sendable {
  /// The keys, until the end of the input or one that ends the program.
  let keys: AsyncStream<Character>
  private let settings: termios

  init() {
    var settings = termios()
    unsafe tcgetattr(STDIN_FILENO, &settings)
    self.settings = settings
    // Without signals, so that Ctrl-C is a key, too, and the program leaves the terminal as it was.
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)

    let (keys, continuation) = AsyncStream.makeStream(of: Character.self)
    self.keys = keys
    // A thread of its own, because reading blocks.
    Thread {
      reading: while true {
        let bytes = FileHandle.standardInput.availableData
        if bytes.isEmpty { break }
        for key in String(decoding: bytes, as: UTF8.self) {
          if ["\n", "\r", "\u{3}", "\u{4}", "\u{1B}"].contains(key) { break reading }
          continuation.yield(key)
        }
      }
      continuation.finish()
    }.start()
  }

  /// Draws lines in the place of the last ones.
  func draw(_ lines: [String]) {
    let text = "\r\u{1B}[J" + lines.map { $0.prefix(78) }.joined(separator: "\n")
    let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A\r" : ""
    try? FileHandle.standardOutput.write(contentsOf: Data((text + up).utf8))
  }

  /// Leaves the terminal as it was.
  func restore() {
    var settings = settings
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    try? FileHandle.standardOutput.write(contentsOf: Data("\r\u{1B}[J".utf8))
  }
}
