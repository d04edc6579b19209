import CordonCommandLine
import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonSupport

/// Writes contacts as CSV or JSON Lines while they are found, and adds them up.
struct ContactRows: ContactSink {
  typealias CommandError = any Error

  private let file: RowFile?
  private let name: (Int32) -> String
  private let frame: LocalFrame?
  private let map: ContactMap?
  private let venue: String
  /// The starts of the contacts that count, microseconds since 1970.
  private let starts: Range<Int64>
  /// Says what the accuracies allow; `nil` when that is not asked.
  var assessor: ContactAssessor?
  var summary = ContactSummary()
  /// Sums over assessed contacts: in whole microseconds, so that their order makes no difference.
  private(set) var expectedMicroseconds: Int64 = 0
  /// Contact time without an accuracy, microseconds.
  private(set) var unknownMicroseconds: Int64 = 0
  private(set) var assertable = 0
  /// For ``seconds spent`` on output, apart from the engine's.
  var outputCPU = 0.0

  /// Order matters only to a file.
  var needsOrder: Bool { file != nil }

  init(
    file: RowFile?, tracks: ContactTracks, venue: ContactTracks.Venue, starts: Range<Int64> = .min..<(.max),
    assessor: ContactAssessor? = nil
  ) {
    self.file = file
    self.starts = starts
    name = tracks.name
    frame = venue.frame
    map = tracks.map
    self.venue = venue.name
    self.assessor = assessor
  }

  static let columns: [TableColumn] = [
    .text("venue"), .text("device_a"), .text("device_b"), .number("floor"), .time("start"), .time("end"),
    .number("duration_s", unit: "s"), .number("min_distance_m", unit: "m"), .time("min_distance_time"),
    .number("x_m", unit: "m"), .number("y_m", unit: "m"), .number("longitude", unit: "degree"),
    .number("latitude", unit: "degree"), .text("space_a"), .text("space_b"), .number("wall_share"),
    .number("expected_contact_s", unit: "s"), .number("p_15min"), .flag("assertable"), .number("share_unknown"),
  ]

  mutating func receive(_ found: [Contact]) throws(any Error) {
    let areAll = found.allSatisfy { starts.contains($0.start) }
    let contacts = areAll ? found : found.filter { starts.contains($0.start) }
    summary.receive(contacts)
    let assessed = assessor == nil ? [] : contacts.map { assess($0) }
    guard let file else { return }
    // Once for many contacts: asking for the time takes as long as writing one of them.
    let start = ProcessResources.cpuSeconds
    switch file.format {
    case .arrow: try file.add(contacts) { write($0, assessed, to: &$1) }
    case .csv:
      for (k, contact) in contacts.enumerated() { try file.add(csv(contact, assessed.isEmpty ? nil : assessed[k])) }
    case .json, .jsonl:
      for (k, contact) in contacts.enumerated() { try file.add(json(contact, assessed.isEmpty ? nil : assessed[k])) }
    }
    outputCPU += ProcessResources.cpuSeconds - start
  }

  /// Assesses a contact, and adds it to the sums.
  private mutating func assess(_ contact: Contact) -> ProbableContact? {
    guard let assessed = assessor?.assess(contact) else { return nil }
    // A sum of what is known; what is not is added up beside it.
    if let expected = assessed.expectedSeconds { expectedMicroseconds += Int64((expected * 1e6).rounded()) }
    unknownMicroseconds += Int64((assessed.unknownSeconds * 1e6).rounded())
    if assessed.isAssertable { assertable += 1 }
    return assessed
  }

  private func csv(_ contact: Contact, _ assessed: ProbableContact?) -> String {
    var cells = [
      TextEscape.csv(venue), TextEscape.csv(name(contact.first)), TextEscape.csv(name(contact.second)),
      floor(contact) ?? "", Instant.rfc3339(microseconds: contact.start), Instant.rfc3339(microseconds: contact.end),
      TextEscape.seconds(contact.duration), TextEscape.metres(contact.minimumDistance),
      Instant.rfc3339(microseconds: contact.minimumDistanceTime), TextEscape.metres(contact.x),
      TextEscape.metres(contact.y),
    ]
    let place = frame?.unproject(PlanePoint(x: contact.x, y: contact.y))
    cells.append(place.map { degrees($0.longitude) } ?? "")
    cells.append(place.map { degrees($0.latitude) } ?? "")
    let spaces = spaces(contact)
    cells.append(TextEscape.csv(spaces.0 ?? ""))
    cells.append(TextEscape.csv(spaces.1 ?? ""))
    cells.append(contact.obstructedShare.map(TextEscape.metres) ?? "")
    cells.append(assessed?.expectedSeconds.map(TextEscape.metres) ?? "")
    cells.append(assessed?.probabilityOf15Minutes.map(TextEscape.metres) ?? "")
    cells.append(assessed.map { $0.isAssertable ? "true" : "false" } ?? "")
    cells.append(assessed.map { TextEscape.metres($0.unknownShare) } ?? "")
    return cells.joined(separator: ",")
  }

  private func json(_ contact: Contact, _ assessed: ProbableContact?) -> String {
    let place = frame?.unproject(PlanePoint(x: contact.x, y: contact.y))
    let spaces = spaces(contact)
    var members: [JSONValue.Member] = []
    if !venue.isEmpty { members.append(.init("venue", .string(venue))) }
    members += [
      .init("device_a", .string(name(contact.first))), .init("device_b", .string(name(contact.second))),
      .init("floor", contact.floor == Segment.unknownFloor ? .null : .number(Double(contact.floor) / 1_000)),
      .init("start", .time(microseconds: contact.start)), .init("end", .time(microseconds: contact.end)),
      .init("duration_s", .number(Double(contact.duration) / 1e6)),
      .init("min_distance_m", .metres(contact.minimumDistance)),
      .init("min_distance_time", .time(microseconds: contact.minimumDistanceTime)), .init("x_m", .metres(contact.x)),
      .init("y_m", .metres(contact.y)),
    ]
    if let place {
      members.append(.init("longitude", .number((place.longitude * 1e8).rounded() / 1e8)))
      members.append(.init("latitude", .number((place.latitude * 1e8).rounded() / 1e8)))
    }
    if map != nil {
      members.append(.init("space_a", JSONValue(spaces.0)))
      members.append(.init("space_b", JSONValue(spaces.1)))
    }
    if let share = contact.obstructedShare { members.append(.init("wall_share", .metres(share))) }
    if let assessed {
      members.append(.init("expected_contact_s", .metres(assessed.expectedSeconds)))
      members.append(.init("p_15min", .metres(assessed.probabilityOf15Minutes)))
      members.append(.init("assertable", .bool(assessed.isAssertable)))
      members.append(.init("share_unknown", .metres(assessed.unknownShare)))
    }
    return JSONValue.object(members).text()
  }

  /// Appends the values of ``columns``, rounded as in the other formats.
  private func write(
    _ contacts: ArraySlice<Contact>, _ assessed: [ProbableContact?], to columns: inout [ArrowColumnBuilder]
  ) {
    func numbers(_ column: Int, _ scale: Double, _ value: (Contact) -> Double) {
      for contact in contacts {
        let value = value(contact)
        columns[column].append(number: value.isFinite ? (value * scale).rounded() / scale : nil)
      }
    }
    if !venue.isEmpty { for _ in contacts { columns[0].append(text: venue) } }
    for contact in contacts {
      columns[1].append(text: name(contact.first))
      columns[2].append(text: name(contact.second))
    }
    for contact in contacts {
      let isKnown = contact.floor != Segment.unknownFloor
      columns[3].append(number: isKnown ? Double(contact.floor) / 1_000 : nil)
      columns[4].append(time: contact.start)
      columns[5].append(time: contact.end)
      columns[6].append(number: Double(contact.duration) / 1e6)
    }
    numbers(7, 1e4) { $0.minimumDistance }
    for contact in contacts { columns[8].append(time: contact.minimumDistanceTime) }
    numbers(9, 1e4) { $0.x }
    numbers(10, 1e4) { $0.y }
    if let frame {
      let places = contacts.map { frame.unproject(PlanePoint(x: $0.x, y: $0.y)) }
      for place in places {
        columns[11].append(number: (place.longitude * 1e8).rounded() / 1e8)
        columns[12].append(number: (place.latitude * 1e8).rounded() / 1e8)
      }
    }
    if map != nil {
      for contact in contacts {
        let spaces = spaces(contact)
        columns[13].append(text: spaces.0)
        columns[14].append(text: spaces.1)
      }
    }
    numbers(15, 1e4) { $0.obstructedShare ?? .nan }
    guard !assessed.isEmpty else { return }
    for assessed in assessed[contacts.indices] {
      for (column, value) in [
        (16, assessed?.expectedSeconds), (17, assessed?.probabilityOf15Minutes), (19, assessed?.unknownShare),
      ] {
        columns[column].append(number: value.flatMap { $0.isFinite ? ($0 * 1e4).rounded() / 1e4 : nil })
      }
      columns[18].append(flag: assessed?.isAssertable)
    }
  }

  /// The spaces of both when they were closest.
  private func spaces(_ contact: Contact) -> (String?, String?) {
    guard let map else { return (nil, nil) }
    let (dx, dy) = (Double(contact.separationX) / 2, Double(contact.separationY) / 2)
    let ids = [(contact.x - dx, contact.y - dy), (contact.x + dx, contact.y + dy)].map { x, y in
      map.spaces.space(floor: contact.floor, x: x, y: y).map { map.names[$0].id }
    }
    return (ids[0], ids[1])
  }

  private func floor(_ contact: Contact) -> String? {
    contact.floor == Segment.unknownFloor ? nil : FloorOrdinal(thousandths: contact.floor).description
  }

  private func degrees(_ value: Double) -> String { String((value * 1e8).rounded() / 1e8) }
}
