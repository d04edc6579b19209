package import CordonCore

/// Makes one fix of all of gpsd's reports about one moment.
///
/// A receiver spreads one measurement over several sentences, and gpsd may report after each of them: the same time
/// twice or three times, first without height or error. Only the fullest report of an epoch becomes a fix. It is
/// returned when the next epoch begins, or by ``flush()`` after a silence.
package struct GPSDEpochs: Sendable {
  /// `epx` and `epy` are 95 % errors of one axis: this many standard deviations.
  static let deviationsIn95Percent = 1.959963984540054
  /// The radius that holds 68 % of a circular normal distribution, in standard deviations of one axis: √(-2 ln 0.32).
  static let deviationsIn68PercentRadius = 1.5095921854516636

  private struct Epoch: Sendable {
    var best: GPSDReport.Position?
    var deviations: GPSDReport.Deviations?
    /// The last time that became a fix; further reports of it are late.
    var done: Instant?
  }

  /// The running epochs of the receivers, which may report in turn.
  private var epochs: [String: Epoch] = [:]
  /// The receivers in the order of their first reports, so that no result depends on the order of a dictionary.
  private var devices: [String] = []

  /// Makes a state without reports.
  package init() {}

  /// Whether a report waits for the end of its epoch.
  package var isWaiting: Bool { epochs.values.contains { $0.best != nil } }

  /// Handles a report; returns the fix of the epoch that it ends, if it ends one.
  package mutating func take(_ report: GPSDReport) -> Fix? {
    switch report {
    case .position(let position):
      guard position.mode >= 2, position.longitude != nil, position.latitude != nil, let time = position.time
      else { return nil }
      return update(position.device) { epoch in
        if time == epoch.done { return nil }
        guard let best = epoch.best else {
          epoch.best = position
          return nil
        }
        if best.time == time {
          if GPSDEpochs.fullness(of: position) >= GPSDEpochs.fullness(of: best) { epoch.best = position }
          return nil
        }
        let fix = GPSDEpochs.finish(&epoch)
        epoch.best = position
        return fix
      }
    case .deviations(let deviations):
      guard deviations.time != nil else { return nil }
      return update(deviations.device) { epoch in
        epoch.deviations = deviations
        return nil
      }
    default: return nil
    }
  }

  /// Returns the waiting reports as fixes, since no more are expected now.
  package mutating func flush() -> [Fix] {
    devices.compactMap { device in update(device) { GPSDEpochs.finish(&$0) } }
  }

  private mutating func update(_ device: String, _ change: (inout Epoch) -> Fix?) -> Fix? {
    // A daemon has a handful of receivers; more names than that are not remembered.
    if epochs[device] == nil {
      guard devices.count < 64 else { return nil }
      devices.append(device)
    }
    return change(&epochs[device, default: Epoch()])
  }

  private static func finish(_ epoch: inout Epoch) -> Fix? {
    guard let position = epoch.best, let longitude = position.longitude, let latitude = position.latitude,
      let time = position.time
    else { return nil }
    epoch.best = nil
    epoch.done = time
    return Fix(
      coordinate: Coordinate(longitude: longitude, latitude: latitude),
      accuracy: accuracy(of: position, epoch.deviations), time: time, isMocked: position.status == 8)
  }

  /// A measure of completeness: an error estimate counts more than a height.
  private static func fullness(of position: GPSDReport.Position) -> Int64 {
    let hasError = position.errorEast != nil && position.errorNorth != nil
    return (hasError ? 8 : position.errorHorizontal != nil ? 4 : 0) + position.mode
  }

  /// The 68 % radius in metres, by the worse axis, so that it is never too small; `nil` without error estimates.
  ///
  /// The receiver's own standard deviations come first: gpsd passes them on as `epx` and `epy`, which are 95 % errors
  /// otherwise. `eph` has a confidence that gpsd does not state, so it is used unchanged.
  static func accuracy(of position: GPSDReport.Position, _ deviations: GPSDReport.Deviations?) -> Double? {
    func usable(_ value: Double?) -> Double? { value.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } }
    if let deviations, deviations.time == position.time, let east = usable(deviations.east),
      let north = usable(deviations.north)
    {
      return max(east, north) * deviationsIn68PercentRadius
    }
    if let east = usable(position.errorEast), let north = usable(position.errorNorth) {
      return max(east, north) / deviationsIn95Percent * deviationsIn68PercentRadius
    }
    return usable(position.errorHorizontal)
  }
}
