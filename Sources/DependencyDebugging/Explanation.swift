public import ComposableDependencies

/// The reasons for the values of dependencies, as `explain()` returns them.
///
/// Print it, or look at its entries:
///
/// ```swift
/// print(DependencyScope.current.explain())
/// ```
public struct Explanation: Sendable {
  /// One entry for each dependency that is overridden or set globally, in the order of their keys.
  ///
  /// Aliased dependencies share an entry.
  public let entries: [Entry]

  /// The derived environments, for an environment's explanation.
  ///
  /// Each contains only the entries that differ from its parent's.
  public let children: [Child]

  /// Whether the scope records where values are set; see `Dependencies.startRecording()`.
  public let isRecorded: Bool

  /// The places of the recorded scopes around this one, the outermost first.
  ///
  /// A long history has only the latest places.
  public let scopes: [Place]

  let title: String

  /// Where a value comes from.
  public enum Source: Hashable, Sendable {
    /// The scope overrides the dependency.
    case override
    /// The value is set globally.
    case globalValue
    /// Nothing sets the value, so a read computes the default.
    case defaultValue
  }

  /// A line of source code.
  public struct Place: Hashable, Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let fileID: String

    /// The line, counted from 1.
    public let line: UInt

    /// The file and the line, as `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }

    init(_ place: SourcePlace) {
      fileID = "\(place.fileID)"
      line = place.line
    }
  }

  /// A value that another one hides from reads.
  public struct Shadowed: Sendable {
    /// Where the value comes from.
    public let source: Source

    /// The description of the value; `nil` if it isn't known anymore.
    public let value: String?

    /// Where it was set, if that was recorded.
    public let place: Place?
  }

  /// A derived environment.
  public struct Child: Sendable {
    /// The name of the parent's property.
    public let name: String

    /// What differs from the parent.
    public let explanation: Explanation
  }

  /// What is known about one dependency.
  public struct Entry: Sendable {
    /// The key, or the key that the others are aliased to.
    public let key: any DependencyKey.Type

    /// The property of `Dependencies`, if its name is known.
    ///
    /// Swift doesn't connect a key with its property. The library learns a name where a property reads
    /// its key, as for `explain(\.retryLimit)`.
    public let property: String?

    /// The description of the value that a read returns, cut if it is long; `nil` for a default that
    /// wasn't computed.
    public let value: String?

    /// Where the value comes from.
    public let source: Source

    /// Where the value was set, if that was recorded.
    public let place: Place?

    /// The values that it hides, the nearest first.
    public let shadowed: [Shadowed]

    /// How many older overrides ``shadowed`` leaves out, because the history is long.
    public let omittedCount: Int

    /// What provides the default: `RetryLimitKey.defaultValue`, or
    /// `RetryLimitKey.testValue, or else defaultValue` in tests.
    public let defaultName: String

    /// The dependencies that the default was computed from, without those that their defaults read.
    public let inputs: [Entry]

    /// The other dependencies that are aliased to this one.
    public let aliases: [String]

    /// The `withResources` that opened the resource, if the dependency is one.
    public let lifetime: Place?

    /// The property if it's known, or else the key.
    public var name: String { property ?? "\(key)" }
  }
}

// MARK: - Text

extension Explanation: CustomStringConvertible {
  /// The explanation as text for people.
  ///
  /// The first line of each dependency says what a read returns. The lines after it say why.
  public var description: String {
    lines.joined(separator: "\n")
  }

  private var lines: [String] {
    var lines = [title]
    if !scopes.isEmpty {
      lines.append("  built at \(scopes.map(\.description).joined(separator: ", then "))")
    }
    lines += entries.flatMap { $0.lines.map { "  \($0)" } }
    for child in children where !child.explanation.isEmpty {
      lines.append("  \(child.name):")
      lines += child.explanation.lines.dropFirst().map { "  \($0)" }
    }
    if !isRecorded, !entries.isEmpty {
      lines.append(
        "  Places aren't recorded here. Call `Dependencies.startRecording()` at start-up to see them."
      )
    }
    return lines
  }

  private var isEmpty: Bool {
    entries.isEmpty && children.allSatisfy { $0.explanation.isEmpty }
  }
}

extension Explanation.Entry: CustomStringConvertible {
  /// The value, and on the lines after it where it comes from.
  public var description: String { lines.joined(separator: "\n") }

  fileprivate var lines: [String] {
    var lines = ["\(name) = \(value ?? defaultName)"]
    lines.append("  \(origin)\(property == nil ? "" : " (\(key))")")
    if let lifetime { lines.append("  opened by the `withResources` at \(lifetime)") }
    if !shadowed.isEmpty {
      lines.append("  shadows \(shadowed.map(\.text).joined(separator: "; "))\(omission)")
    }
    if source != .defaultValue {
      lines.append("  default: \(defaultName)")
    } else if value != nil {
      lines.append("  computed by \(defaultName)\(inputs.isEmpty ? "" : " from")")
      lines += inputs.flatMap { $0.lines.map { "    \($0)" } }
    }
    if !aliases.isEmpty { lines.append("  aliases: \(aliases.joined(separator: ", "))") }
    return lines
  }

  /// Where the value comes from, in a few words.
  package var origin: String {
    let place = place.map { " at \($0)" } ?? ""
    return switch source {
    case .override: "overridden\(place)"
    case .globalValue: "set globally\(place)"
    case .defaultValue: "default: nothing overrides it or sets it globally"
    }
  }

  private var omission: String { omittedCount == 0 ? "" : "; and \(omittedCount) older" }
}

extension Explanation.Shadowed {
  fileprivate var text: String {
    let kind = source == .override ? "the override" : "the global value"
    return kind + (value.map { " \($0)" } ?? "") + (place.map { " at \($0)" } ?? "")
  }
}
