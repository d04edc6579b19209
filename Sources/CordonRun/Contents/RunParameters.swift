package import CordonCore
package import CordonSupport

/// The settings of a run and the constants behind its results.
package struct RunParameters: Hashable, Sendable {
  /// The command of the run as words, for example `["cordon", "simulate", "mall.zip", "--people", "300"]`.
  ///
  /// It contains only options that determine the contents. The output path and the number of threads are left out
  /// because runs that differ in them are identical byte by byte.
  package var command: [String]
  /// The version of Cordon.
  package var version: String
  /// The seed of all random numbers.
  package var seed: UInt64
  /// The start of the run.
  package var start: Instant
  /// The duration of the run.
  package var duration: TimeSpan
  /// The coordinate of the plane point (0, 0): the origin of the venue's `CordonGeometry.LocalFrame`.
  package var frameOrigin: Coordinate
  /// The maximum distance of a contact in metres.
  package var contactDistance: Double
  /// The maximum time between two fixes of one device that are joined into a segment.
  package var maximumGap: TimeSpan
  /// The total contact time of a pair that triggers a warning.
  package var warningThreshold: TimeSpan
  /// The width of an occupancy bin.
  package var occupancyBin: TimeSpan
  /// Further parameters in the order of their display.
  ///
  /// Names contain their unit (`fix_interval_s`) and use `a-z 0-9 _` only.
  package var others: [Other]

  /// A further parameter.
  package struct Other: Hashable, Sendable {
    /// The name, for example `fix_interval_s` or `position_error_m`.
    package var name: String
    /// The value. Lists and objects are stored as their JSON text.
    package var value: JSONValue

    /// Creates a parameter from its parts.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Creates parameters from their parts.
  package init(
    command: [String], version: String, seed: UInt64, start: Instant, duration: TimeSpan, frameOrigin: Coordinate,
    contactDistance: Double = 2, maximumGap: TimeSpan = .seconds(30), warningThreshold: TimeSpan = .minutes(15),
    occupancyBin: TimeSpan = .minutes(5), others: [Other] = []
  ) {
    self.command = command
    self.version = version
    self.seed = seed
    self.start = start
    self.duration = duration
    self.frameOrigin = frameOrigin
    self.contactDistance = contactDistance
    self.maximumGap = maximumGap
    self.warningThreshold = warningThreshold
    self.occupancyBin = occupancyBin
    self.others = others
  }

  /// The end of the run.
  package var end: Instant { start + duration }
}
