import Foundation

extension FileSystem {
  /// The real file system.
  static let disk = FileSystem(
    kind: { path in
      var isFolder: ObjCBool = false
      guard
        unsafe FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder)
      else { return nil }
      if isFolder.boolValue { return .folder }
      let file = URL(filePath: path.string).resolvingSymlinksInPath().path
      let type = try? FileManager.default.attributesOfItem(atPath: file)[.type]
      return type as? FileAttributeType == .typeRegular ? .file : .other
    },
    entries: { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder.string).map { name in
        let path = folder.resolving(name).string
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
        switch type as? FileAttributeType {
        case .typeRegular: return Entry(name: name, kind: .file)
        case .typeDirectory: return Entry(name: name, kind: .folder)
        default: return Entry(name: name, kind: nil)
        }
      }
    },
    read: { file in
      let bytes = try Data(contentsOf: URL(filePath: file.string))
      return String(decoding: bytes, as: UTF8.self)
    }
  )
}
