import ComposableDependencies
import DependencyCarriers

// A value travels only if its key conforms to `CarriedKey`. For example, the checked folder
// doesn't: it is part of each request.

/// The customer for whom files are checked.
enum TenantKey: CarriedKey {
  static let defaultValue: String? = nil
  static let field = "tenant"
}

/// The seed of all random numbers, so that a run can be repeated.
enum SeedKey: CarriedKey {
  static let defaultValue: UInt64 = 0
  static let field = "seed"
}

/// How often a worker exits instead of answering, in percent.
enum CrashPercentKey: CarriedKey {
  static let defaultValue = 0
  static let field = "crash-percent"
}

/// Whether a worker logs the files that it checks.
enum LogsFilesKey: CarriedKey {
  static let defaultValue = false
  static let field = "workers-log"
}

extension Dependencies {
  /// The customer for whom files are checked.
  var tenant: String? {
    get { self[TenantKey.self] }
    set { self[TenantKey.self] = newValue }
  }

  /// The seed of all random numbers.
  var seed: UInt64 {
    get { self[SeedKey.self] }
    set { self[SeedKey.self] = newValue }
  }

  /// How often a worker exits instead of answering, in percent.
  var crashPercent: Int {
    get { self[CrashPercentKey.self] }
    set { self[CrashPercentKey.self] = newValue }
  }

  /// Whether a worker logs the files that it checks.
  var logsFiles: Bool {
    get { self[LogsFilesKey.self] }
    set { self[LogsFilesKey.self] = newValue }
  }
}
