import ComposableEnvironment
import Foundation

/// Checks the links of Markdown files and doc comments.
///
/// To learn the library from it, continue in this order: `Dependencies` declares what the program
/// needs, `Command` overrides some of it, and `LinkChecker` derives environments and carries them
/// into the tasks of a group. `Markdown` doesn't use the library.
@main
enum LinkCheck {
  static func main() async {
    // Writing to a closed pipe must fail with an error, not end the process.
    signal(SIGPIPE, SIG_IGN)
    let check = Task { await Command.run(Array(CommandLine.arguments.dropFirst())) }
    let interrupt = onInterrupt { check.cancel() }
    let status = await check.value
    interrupt.cancel()
    exit(status.rawValue)
  }

  /// Calls `action` at the first Ctrl-C.
  ///
  /// A second one ends the process as usual.
  private static func onInterrupt(
    _ action: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      signal(SIGINT, SIG_DFL)
      action()
    }
    source.resume()
    return source
  }
}
