package import CordonCore

/// The contents of one Observation, independent of the version of FHIR.
package struct FHIRObservation: Hashable, Sendable {
  /// The measured value.
  package enum Value: Hashable, Sendable {
    /// A position at a time. The accuracy is the radius at 68 % in metres.
    case position(Coordinate, accuracy: Double, floor: FloorOrdinal?, time: Instant)
    /// An interval between two times.
    case interval(start: Instant, end: Instant)
    /// A part of an interval, such as the time outdoors of one day, in minutes.
    case total(minutes: Double, start: Instant, end: Instant)
  }

  /// The UUID of the Observation, version 5: the same contents have the same identifier whenever they are sent.
  package var identifier: String
  /// The measured value.
  package var value: Value
  /// The meaning of an interval for people, such as `Rest` or `Time outdoors`; `nil` for the display of the type.
  package var text: String?
  /// Whether the Observation replaces an earlier one, which had less data.
  package var isAmended: Bool

  /// Makes an Observation.
  /// - Parameters:
  ///   - name: the name of the contents within the type of data; the identifier is its UUID.
  ///   - value: see ``value``.
  ///   - text: see ``text``.
  ///   - isAmended: see ``isAmended``.
  package init(name: String, _ value: Value, text: String? = nil, isAmended: Bool = false) {
    identifier = NamedUUID.text(of: name)
    self.value = value
    self.text = text
    self.isAmended = isAmended
  }

  /// The type of data of the value.
  package var dataType: FHIRDataType {
    switch value {
    case .position: .geoposition
    case .interval, .total: .timeInterval
    }
  }
}

extension FHIRObservation {
  /// Returns the positions of a location: where it was measured and, after a rest, where the device still was at its end.
  package static func positions(of location: Location) -> [FHIRObservation] {
    var times = [location.time]
    if let end = location.stillUntil, end > location.time { times.append(end) }
    return times.map { time in
      FHIRObservation(
        name: "geoposition/\(location.id)" + (time == location.time ? "" : "/\(time.milliseconds)"),
        .position(location.coordinate, accuracy: location.accuracy, floor: location.floor, time: time))
    }
  }

  /// Returns the rest of a location; `nil` without one.
  package static func rest(of location: Location) -> FHIRObservation? {
    guard let end = location.stillUntil, end > location.time else { return nil }
    return FHIRObservation(
      name: "time-interval/rest/\(location.id)/\(end.milliseconds)", .interval(start: location.time, end: end),
      text: "Rest")
  }

  /// Returns the total of one day of one person, such as the time outdoors.
  ///
  /// A total that later data changed needs a higher revision: it is another Observation, marked as amended.
  /// - Parameters:
  ///   - kind: the meaning, such as `outdoors`; part of the identifier.
  ///   - text: the meaning for people.
  ///   - device: the pseudonym of the device whose data were counted.
  ///   - minutes: the total.
  ///   - start: the beginning of the day in the person's time zone.
  ///   - end: its end, 23 to 25 hours later.
  ///   - revision: 0 for the first total.
  package static func dayTotal(
    _ kind: String, text: String, device: DeviceID, minutes: Double, start: Instant, end: Instant, revision: Int = 0
  ) -> FHIRObservation {
    FHIRObservation(
      name: "time-interval/\(kind)/\(device.rawValue)/\(start.milliseconds)/\(revision)",
      .total(minutes: minutes, start: start, end: end), text: text, isAmended: revision > 0)
  }
}
