public import CordonMonitoring

/// Receives the monitor's log, line by line. No line holds a coordinate, a space, a code, a token or a key.
///
/// ```swift
/// // With swift-log:
/// let logger = Logger(label: "cordon")
/// let log = MonitorLog { level, line in logger.log(level: level == .error ? .error : .info, "\(line)") }
/// ```
/// `CordonApple` has one for Apple's unified logging.
public struct MonitorLog: Sendable {
  /// The severity of a line.
  public enum Level: String, Hashable, Sendable, CaseIterable { case debug, info, warning, error }

  private let body: @Sendable (Level, String) -> Void

  /// Makes a log that passes each line on. The closure runs on the monitor's executor, so it must not block.
  public init(_ body: @escaping @Sendable (Level, String) -> Void) { self.body = body }

  /// Writes a notice at its level.
  public func write(_ notice: MonitorNotice) { body(MonitorLog.level(of: notice), notice.description) }

  /// Writes a line.
  public func write(_ level: Level, _ line: String) { body(level, line) }

  private static func level(of notice: MonitorNotice) -> Level {
    switch notice {
    case .storeFailed: .error
    case .inviteRefused, .deactivated, .erasedByServer, .expired: .warning
    case .delivery(_, .judged(_, let quarantined, _, _)): quarantined > 0 ? .warning : .debug
    case .delivery: .warning
    default: .info
    }
  }
}
