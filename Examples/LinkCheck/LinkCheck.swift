import Dispatch
import Foundation

/// Checks the links of Markdown files and doc comments.
///
/// To learn the library from it, read on in this order: `Dependencies`, where what the program
/// needs of the world is declared; `Command`, which overrides some of it; `Checking`, where
/// environments are derived and carried into the tasks of a group. `Markdown` makes no use of it.
@main
enum LinkCheck {
  static func main() async {
    let check = Task { await Command.run(Array(CommandLine.arguments.dropFirst())) }
    let interrupt = onInterrupt { check.cancel() }
    let status = await check.value
    interrupt.cancel()
    exit(status.rawValue)
  }

  /// Calls `action` at the first Ctrl-C; a second one ends the process as usual.
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
