package import Cordon
package import CordonCore
package import CordonMonitoring
import CordonPresence
import CordonSupport
import CordonWire
import Foundation

/// The ended trips that Overland receivers have not accepted yet, in a folder beside the store that only its owner may read.
///
/// A trip is made of the positions that its receiver gets, and of no others. It waits as long as the person's consent to sending
/// is missing. It is deleted when the consent to recording its positions has ended, or the device has another name since.
package struct TripOutbox: Sendable {
  private let store: String
  /// The folder.
  package var path: String { store + ".trips" }
  /// The maximum number of trips that wait; later ones are not sent.
  package static let limit = 1_000

  /// A trip that waits.
  private struct Entry {
    var sink: UInt8
    var hasOutside: Bool
    var end: Location
    var body: [UInt8]
  }

  /// A trip that may be sent now.
  package struct Message: Sendable {
    /// The name of its file.
    let name: String
    /// The number of its receiver.
    package let sink: UInt8
    /// The body of the request.
    package let body: [UInt8]
    /// The last location.
    let end: Location

    /// The request, whose location fills the parameters of the URL.
    package var request: SinkRequest {
      SinkRequest(number: 0, device: end.device, sink: SinkID(number: sink), body: .positions([end], token: nil))
    }
  }

  /// Makes the outbox of a store.
  package init(store: String) { self.store = store }

  /// The number of trips that wait.
  package var count: Int { names.count }

  /// Deletes all trips, such as after a withdrawal.
  package func removeAll() { try? FileManager.default.removeItem(atPath: path) }

  /// Adds an ended trip for each Overland receiver.
  /// - Parameters:
  ///   - trip: the trip.
  ///   - sinks: the sinks of the tracker; those of the kind `file` have the positions.
  ///   - consent: the purposes that the person agreed to. Positions of other purposes are left out.
  ///   - end: the present time.
  ///   - steps: the steps that a pedometer counted.
  /// - Returns: the number of receivers for which it waits.
  /// - Throws: ``TrackerError`` when the positions cannot be read, or a trip cannot be written.
  package func add(
    _ trip: TripFile, of sinks: [TrackerSink], consent: Consent.Purposes, until end: Instant, steps: Int?
  ) throws(TrackerError) -> Int {
    let receivers = sinks.filter { $0.kind == .overland }
    guard !receivers.isEmpty else { return 0 }
    let all = try RecordedFixes.locations(sinks, since: trip.start)
    // A stop that was cut short may have kept the trip as it was then.
    for name in names where name.hasPrefix("\(trip.start)-") { remove(name) }
    var added = 0
    for sink in receivers {
      guard let format = sink.endpoint.format as? OverlandFormat, count < TripOutbox.limit else { continue }
      let rows = all.filter { row in
        trip.isOf(row.device) && sink.purposes.contains(row.purpose) && consent.contains(row.purpose)
      }
      let record = trip.recorded(rows.map(PresenceFix.init), until: end, steps: steps)
      let own = rows.filter { $0.time.milliseconds <= record.end }
      guard let first = own.first, let last = own.last else { continue }
      let ended = Overland.EndedTrip(
        mode: record.mode.rawValue, start: Instant(milliseconds: record.start), end: Instant(milliseconds: record.end),
        distance: record.distance, startLocation: first, endLocation: last,
        stoppedAutomatically: record.stoppedAutomatically, steps: steps)
      let value: JSONValue = [
        "sink": .integer(Int64(sink.id.number)),
        "has_outside": .bool(own.contains { $0.purpose == .everywhere }),
        "end": .string(String(decoding: PositionBatch.encodeLines([last]), as: UTF8.self)),
        "body": .string(String(decoding: format.body(of: ended), as: UTF8.self)),
      ]
      try write(value, as: "\(record.start)-\(sink.id.number).json")
      added += 1
    }
    return added
  }

  /// Sends the trips that wait, oldest first.
  /// - Parameters:
  ///   - consent: the consent in force; `nil` without one.
  ///   - device: the device, as it is named now.
  ///   - endpoint: the endpoint of a sink that sends a body; `nil` for a sink that is not configured any more.
  ///   - transport: sends the messages.
  /// - Returns: a sentence for each trip that a receiver did not accept.
  package func deliver(
    consent: Consent?, device: DeviceID, to endpoint: @Sendable (UInt8, [UInt8]) -> SinkEndpoint?,
    over transport: any HTTPTransport
  ) async -> [String] {
    var remarks: [String] = []
    for name in names {
      guard let message = message(name, consent: consent, device: device) else { continue }
      guard let endpoint = endpoint(message.sink, message.body) else {
        remove(name)
        continue
      }
      let response = await endpoint.deliver(message.request, over: transport)
      if let remark = complete(message, response) { remarks.append(remark) }
    }
    return remarks
  }

  /// Returns the oldest trip that may be sent now; `nil` for none. Deletes those that may not be sent any more.
  package func next(consent: Consent?, device: DeviceID) -> Message? {
    for name in names {
      if let message = message(name, consent: consent, device: device) { return message }
    }
    return nil
  }

  private func message(_ name: String, consent: Consent?, device: DeviceID) -> Message? {
    guard let entry = read(name), let consent, entry.end.device == device, consent.record != nil,
      !entry.hasOutside || consent.everywhere != nil
    else {
      remove(name)
      return nil
    }
    // A stop that was cut short has not ended the trip; the next one makes it again.
    if let present = try? TripFile.read(store: store), name.hasPrefix("\(present.start)-") { return nil }
    guard consent.share != nil else { return nil }
    return Message(name: name, sink: entry.sink, body: entry.body, end: entry.end)
  }

  /// Handles the answer to a trip: it is deleted when the receiver accepted it.
  /// - Returns: a sentence for a trip that was not accepted.
  package func complete(_ message: Message, _ response: SinkResponse) -> String? {
    if case .rows = response.body {
      remove(message.name)
      return nil
    }
    let reason = response.fault ?? "status \(response.status)"
    return "the receiver of sink \(message.sink) has not accepted a trip: \(reason); it is sent again"
  }

  // MARK: - Files

  private var names: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted()
  }

  private func remove(_ name: String) { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }

  private func write(_ value: JSONValue, as name: String) throws(TrackerError) {
    let manager = FileManager.default
    try? manager.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let fresh = "\(path)/\(name).new"
    guard
      manager.createFile(
        atPath: fresh, contents: Data((value.text() + "\n").utf8), attributes: [.posixPermissions: 0o600]),
      rename(fresh, "\(path)/\(name)") == 0
    else { throw TrackerError("cannot-write", "the trip cannot be kept for its receivers", file: path) }
  }

  private func read(_ name: String) -> Entry? {
    guard let data = FileManager.default.contents(atPath: "\(path)/\(name)"),
      let value = try? JSONReader.value(of: Array(data)), let number = value["sink"]?.integerValue,
      let sink = UInt8(exactly: number), let line = value["end"]?.stringValue,
      let body = value["body"]?.stringValue, let end = RecordedFixes.location(of: Array(line.utf8))
    else { return nil }
    return Entry(
      sink: sink, hasOutside: value["has_outside"] != .bool(false), end: end,
      body: Array(body.utf8))
  }
}
