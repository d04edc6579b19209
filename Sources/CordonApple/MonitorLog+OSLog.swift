#if canImport(os)
  public import Cordon
  import os

  extension MonitorLog {
    /// Writes to Apple's unified logging. Lines are public there: they hold nothing about where somebody is.
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
