import ComposableDependencies
import Foundation
import Observation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The code of the article User interfaces and callbacks, word for word; `ReadmeTests` compares the
// two. SwiftUI's types have stand-ins here.

@MainActor
@Observable
final class DownloadModel {
  @ObservationIgnored @Dependency(\.retryLimit) var retryLimit
  private(set) var attempts = 0

  func download() async {
    for _ in 0..<retryLimit { attempts += 1 }
  }
}

final class Downloader: Sendable {
  let scope = DependencyScope.current

  func attempts() -> ClosedRange<Int> { 1...scope.retryLimit }
}

@MainActor
@Observable
final class LibraryModel {
  let scope = DependencyScope.current
  private(set) var download: DownloadModel?

  func startDownload() {
    download = scope.run { DownloadModel() }
  }
}

@MainActor private protocol View {}
@MainActor private protocol PreviewProvider {
  associatedtype Previews: View
  static var previews: Previews { get }
}
private struct DownloadView: View { let model: DownloadModel }

private enum UserInterfaces {
  struct DownloadPreview: PreviewProvider {
    static var previews: some View {
      DownloadView(
        model: withDependencies {
          $0.retryLimit = 1
        } operation: {
          DownloadModel()
        })
    }
  }

  static let reports = Mutex<[[Int]]>([])
  static func report(_ numbers: Int...) { reports.withLock { $0.append(numbers) } }
  static func store(_ file: URL) { report(DependencyScope.current.retryLimit) }

  struct Blocks {
    func load(_ url: URL) async throws -> Data {
      let (data, _) = try await URLSession.shared.data(from: url)
      report(data.count, DependencyScope.current.retryLimit)
      return data
    }

    func load(_ url: URL, in session: URLSession) -> URLSessionDataTask {
      session.dataTask(
        with: url,
        completionHandler: DependencyScope.current.bind { data, response, error in
          report(data?.count ?? 0, DependencyScope.current.retryLimit)
        })
    }
  }

  final class DownloadObserver: NSObject, URLSessionDownloadDelegate {
    let scope = DependencyScope.current

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL
    ) {
      scope.run { store(file) }
    }
  }
}

@Suite("Snippets of User interfaces and callbacks")
struct UserInterfacesSnippets {
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
