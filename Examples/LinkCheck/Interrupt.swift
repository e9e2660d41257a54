package import Dispatch
import Foundation

/// Calls `action` at the first Ctrl-C; a second one ends the process as usual.
package func onInterrupt(
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
