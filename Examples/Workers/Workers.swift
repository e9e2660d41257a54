import Foundation
import LinkChecking

/// Checks links like linkcheck, in several processes.
///
/// To learn how values cross processes, continue in this order: `CarriedKeys` declares which values
/// may cross; `WorkerProcess` passes some in a process's environment; `WorkerPool` passes others
/// with each request; `Worker` reads them in the other process.
@main
enum Workers {
  static func main() async {
    // Writing to an ended worker must fail with an error, not end this process.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == [WorkerProcess.argument] {
      // Ctrl-C reaches all processes of a terminal. The parent process decides.
      signal(SIGINT, SIG_IGN)
      await Worker.run()
      exit(0)
    }
    let check = Task { await WorkersCommand.run(arguments) }
    let interrupt = onInterrupt { check.cancel() }
    let status = await check.value
    interrupt.cancel()
    exit(status.rawValue)
  }
}
