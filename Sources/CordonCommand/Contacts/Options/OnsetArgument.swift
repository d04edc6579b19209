import ArgumentParser
import CordonCore

/// A day (its midnight, UTC) or a point in time on the command line.
struct OnsetArgument: ExpressibleByArgument, Sendable {
  let instant: Instant

  init?(argument: String) {
    if let instant = try? Instant(rfc3339: argument) {
      self.instant = instant
    } else if let instant = try? Instant(rfc3339: argument + "T00:00:00Z") {
      self.instant = instant
    } else if let milliseconds = Int64(argument) {
      instant = Instant(milliseconds: milliseconds)
    } else {
      return nil
    }
  }
}
