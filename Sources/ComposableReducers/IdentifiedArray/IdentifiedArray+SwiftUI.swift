#if canImport(SwiftUI)
  public import struct Foundation.IndexSet

  extension IdentifiedArray {
    /// Moves the elements at several positions together, for a list's `onMove`.
    ///
    /// SwiftUI declares a function of this name for every mutable collection, which would move one
    /// element at a time. A file that imports both calls this one.
    @inlinable
    public mutating func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
      move(fromOffsets: Array(offsets), toOffset: destination)
    }
  }
#endif
