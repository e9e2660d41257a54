private func example(_ array: inout IdentifiedArrayOf<Counter>) {
  // block: array[id: 3]
}

private func example(_ counters: [Counter]) -> IdentifiedArrayOf<Counter> {
  // block: IdentifiedArray(counters
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
