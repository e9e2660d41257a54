import Foundation

private struct Page {
  let url: URL
}

private func example(_ array: inout IdentifiedArrayOf<Counter>) {
  // block: array[id: 3]
}

private func example(_ pages: [[Page]]) -> IdentifiedArray<URL, Page> {
  // block: IdentifiedArray(pages
}

#if canImport(SwiftUI)
  import SwiftUI

  private struct Rows: View {
    @State var rows: IdentifiedArrayOf<Counter>

    var body: some View {
      ForEach(rows) { Text("\($0.count)") }  // block: .onDelete
      ForEach(rows) { Text("\($0.count)") }  // block: .onMove
    }
  }
#endif
