extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes the elements, as an array.
  public func encode(to encoder: any Encoder) throws {
    try elements.encode(to: encoder)
  }
}

extension IdentifiedArray: Decodable
where Element: Decodable & Identifiable, ID == Element.ID {
  /// Decodes an array of elements.
  ///
  /// - Throws: Errors of decoding the elements. If several elements have the same id,
  ///   `DecodingError.dataCorrupted`, which names the id and its positions.
  public init(from decoder: any Decoder) throws {
    self.init()
    let elements = try [Element](from: decoder)
    if let (id, positions) = duplicates(in: elements).first {
      let problem = "\(positions.count) elements have the same id, \(id), at positions "
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: problem + list(positions)
        )
      )
    }
    replaceElements(with: elements)
  }
}
