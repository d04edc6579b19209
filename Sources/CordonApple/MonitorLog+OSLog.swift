#if canImport(os)
  public import Cordon
  import os

  extension MonitorLog {
    /// Writes to Apple's unified logging. The lines are public there; they contain nothing about the position of a
    /// person.
    public static func unified(subsystem: String, category: String = "cordon") -> MonitorLog {
      let logger = Logger(subsystem: subsystem, category: category)
      return MonitorLog { level, line in
        switch level {
        case .debug: logger.debug("\(line, privacy: .public)")
        case .info: logger.info("\(line, privacy: .public)")
        case .warning: logger.warning("\(line, privacy: .public)")
        case .error: logger.error("\(line, privacy: .public)")
        }
      }
    }
  }
#endif
