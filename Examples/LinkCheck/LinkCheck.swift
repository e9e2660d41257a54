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
    // The first Ctrl-C cancels the check. A second one ends the process as usual.
    signal(SIGINT, SIG_IGN)
    let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    interrupt.setEventHandler {
      signal(SIGINT, SIG_DFL)
      check.cancel()
    }
    interrupt.resume()
    let status = await check.value
    interrupt.cancel()
    exit(status.rawValue)
  }
}
