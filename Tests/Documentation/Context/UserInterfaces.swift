import Observation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor private protocol View {}
@MainActor private protocol PreviewProvider {
  associatedtype Previews: View
  static var previews: Previews { get }
}
private struct DownloadView: View { let model: DownloadModel }

private enum UserInterfaces {
  // block: struct DownloadPreview

  static let reports = Mutex<[[Int]]>([])
  static func report(_ numbers: Int...) { reports.withLock { $0.append(numbers) } }
  static func store(_ file: URL) { report(DependencyScope.current.retryLimit) }

  struct Blocks {
    // block: func load(_ url: URL)

    // block: func load(_ url: URL, in
  }

  // block: final class DownloadObserver
}

@Suite("The code of User interfaces and callbacks")
private struct UserInterfacesTests {
  private let scope = DependencyScope.root.with(\.retryLimit, 5)

  @Test("models")
  @MainActor func models() async {
    let library = scope.run { LibraryModel() }
    library.startDownload()
    await library.download?.download()
    #expect(library.download?.attempts == 5)
    #expect(scope.run { Downloader() }.attempts() == 1...5)
    let preview = UserInterfaces.DownloadPreview.previews as? DownloadView
    #expect(preview?.model.retryLimit == 1)
  }

  @Test("callbacks")
  func callbacks() {
    let observer = scope.run { UserInterfaces.DownloadObserver() }
    let session = URLSession(configuration: .ephemeral)
    let url = URL(filePath: "/nothing")
    let task = session.downloadTask(with: url)
    observer.urlSession(session, downloadTask: task, didFinishDownloadingTo: url)
    #expect(UserInterfaces.reports.withLock { $0.contains([5]) })
    _ = UserInterfaces.Blocks().load(url, in: session)
    session.invalidateAndCancel()
  }
}
