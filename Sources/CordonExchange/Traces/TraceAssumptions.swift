package import CordonCore

/// The assumptions of a replay for data that the files do not contain.
package struct TraceAssumptions: Hashable, Sendable {
  /// The sources of device names.
  package enum DeviceSource: String, Hashable, Sendable, CaseIterable {
    /// The name of the device in the file, or of the track.
    case name
    /// The file: all its tracks belong to one device.
    case file
    /// The track: each belongs to its own device.
    case track
  }

  /// The 68 % error radius in metres of points without one.
  package var accuracy: Double?
  /// The floor of points without one.
  package var floor: FloorOrdinal?
  /// The source of device names; `nil` uses the names in the file if there are any, otherwise the file.
  package var deviceFrom: DeviceSource?
  /// The interval of interpolated fixes on the straight line between two points, as in Xcode; `nil` for no
  /// interpolation.
  package var interpolation: TimeSpan?
  /// Whether fixes are delivered in the order of the file, as if some arrive late; otherwise in the order of their times.
  package var keepsFileOrder = false
  /// The interval of fixes that represent a stay.
  ///
  /// Rows with a longer gap than the maximum gap of contacts are not joined.
  package var stayInterval = TimeSpan.seconds(30)
  /// The time of the first point; all times move by the same amount. `nil` keeps the times.
  package var start: Instant?
  /// The interval between two points of a file without times, which begin at ``start``.
  package var step = TimeSpan.seconds(1)
  /// The coordinate of the origin of positions in metres.
  package var origin: Coordinate?
  /// The direction of the y axis of positions in metres, in degrees clockwise from north.
  package var bearing = 0.0

  /// Creates assumptions that fill in nothing.
  package init() {}
}

/// The fixes of devices from traces, with a list of the assumptions.
package struct ResolvedTrace: Sendable {
  /// The fixes of one device, in the order of their times, or of the files if ``TraceAssumptions/keepsFileOrder`` is set.
  package struct Device: Sendable {
    /// The name, unique among the devices.
    package var name: String
    /// The fixes.
    package var fixes: [TracedFix]
  }

  /// The devices, sorted by name.
  package var devices: [Device]
  /// A sentence for each assumption and each omission.
  package var assumed: [String]
  /// The number of fixes.
  package var fixCount: Int { devices.reduce(0) { $0 + $1.fixes.count } }
}

/// A fix with its origin.
package struct TracedFix: Hashable, Sendable {
  /// The fix.
  package var fix: Fix
  /// The name of the file.
  package var file: String
  /// The line in the file; 0 for files without lines.
  package var line: Int
  /// Whether the fix was interpolated between two points of the file.
  package var isInterpolated: Bool
}
