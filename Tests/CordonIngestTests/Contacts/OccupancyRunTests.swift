import CordonContacts
import CordonCore
import CordonGeometry
import CordonTesting
import Foundation
import Testing

@testable import CordonIngest

/// Counting occupancy page by page gives the same result as counting everything at once.
@Suite("Occupancy of long spans") struct OccupancyRunTests {
  /// Tracks that stand still, jump between floors, have gaps, and several positions at one moment.
  private static func store(_ seed: UInt64, _ bench: Bench) throws -> MemoryPositionStore {
    let store = MemoryPositionStore()
    let venue = try store.number(of: bench.venue.venue, origin: bench.venue.geofence.center)
    var random = RandomStream(seed: seed, stream: 3)
    func upTo(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    for device in 1...5 {
      let id = try #require(DeviceID("device-\(device)"))
      var time = bench.now - .minutes(40)
      var rows: [NewPosition] = []
      for _ in 0..<120 {
        // Some lie at the time of the last one.
        if upTo(5) > 0 { time = time + .seconds(Int64(1 + upTo(upTo(10) == 0 ? 90 : 25))) }
        let place = bench.venue.place(east: Double(upTo(60)) - 30, north: Double(upTo(30)) - 15)
        let floor = FloorOrdinal(upTo(12) == 0 ? 1 : 0)
        let accuracy = Double(1 + upTo(9))
        let still = upTo(4) == 0 ? time + .seconds(Int64(upTo(400))) : nil
        rows.append(
          NewPosition(
            id: FixID(device: id, time: time, coordinate: place, accuracy: accuracy, floor: floor),
            longitude: RowGate.scaled(place.longitude), latitude: RowGate.scaled(place.latitude),
            accuracy: Int64(accuracy * 1_000), floor: floor.thousandths, stillUntil: still?.milliseconds, space: nil,
            venueHash: ""))
      }
      _ = try store.insert(rows, device: Int64(device), venue: venue)
    }
    return store
  }

  private static func query(_ bench: Bench, from: TimeSpan, to: TimeSpan, rows: Int = 1_000_000) -> OccupancyQuery {
    var settings = IngestSettings()
    settings.maximumQueryRows = rows
    let span = (bench.now - from).milliseconds...(bench.now - to).milliseconds
    return OccupancyQuery(
      venue: ServedVenue(gate: bench.venue), span: span, bin: .seconds(60), bySpace: false,
      settings: settings)
  }

  private static func answer(
    _ query: OccupancyQuery, _ store: any PositionStore, page: Int
  ) throws -> (response: IngestResponse, steps: Int) {
    var run = OccupancyRun(query, pageSize: page)
    var steps = 1
    while true {
      if let answer = try run.advance(from: store) { return (answer, steps) }
      steps += 1
    }
  }

  @Test(arguments: UInt64(1)...12)
  func pagesGiveTheResultOfTheWhole(_ seed: UInt64) throws {
    let bench = try Bench()
    let store = try Self.store(seed, bench)
    let place = try #require(try store.venues().first)
    let frame = LocalFrame(origin: place.origin)
    // Spans before the tracks, within them, and with few positions.
    for (from, to) in [(60, 0), (31, 12), (25, 24)] {
      let query = Self.query(bench, from: .minutes(Int64(from)), to: .minutes(Int64(to)))
      var points: [ContactStream.Point] = []
      for device in try store.devices(in: place.number, during: query.span) {
        points += try store.track(of: device, venue: place.number, in: 0...Int64.max).map {
          contactPoint($0, frame: frame)
        }
      }
      let tracks = ObservedTracks(
        points.map(\.point), accuracies: points.map(\.accuracy), stillUntil: points.map(\.stillUntil),
        maximumGap: query.settings.contactGap)
      let whole = Occupancy(of: tracks.segments().compactMap { $0.clipped(to: query.span) }, bin: query.bin)
      let expected = query.write(whole).text
      if from == 60 { #expect(expected.contains("peak_devices")) }
      for page in [1, 2, 3, 7, 50, 10_000] {
        #expect(try Self.answer(query, store, page: page).response.text == expected, "pages of \(page)")
      }
    }
  }

  @Test func aQueryOverTooManyPositionsNamesTheRemedy() throws {
    let bench = try Bench()
    let store = try Self.store(1, bench)
    let answer = try Self.answer(
      Self.query(bench, from: .minutes(60), to: .zero, rows: 100), store, page: 50
    ).response
    #expect(answer.status == 413)
    #expect(answer.code == "too-much")
    #expect(try answer.string("detail").contains("shorter span"))
    var wide = Self.query(bench, from: .days(7), to: .zero)
    wide.bin = .milliseconds(1_000)
    #expect(try Self.answer(wide, store, page: 50).response.code == "too-much")
  }

  /// The pages of a person's data list each of their contacts once.
  @Test func thePagesOfAPersonListEachContactOnce() throws {
    let bench = try Bench()
    let phones = try (0..<4).map { try bench.phone("phone-\($0)") }
    let start = bench.now - .minutes(30)
    // Others come near for a minute, one after the other, repeatedly.
    for minute in 0..<24 {
      for (index, phone) in phones.enumerated() where index == 0 || minute % 4 == index {
        try bench.post(
          (0..<6).map {
            try bench.location(
              phone.id, at: start + .minutes(Int64(minute)) + .seconds(Int64(10 * $0)), east: Double(index) / 4)
          }, by: phone)
      }
    }
    func pages(_ limit: Int) throws -> (contacts: [Int64], positions: Int, pages: Int) {
      var (contacts, positions, pages): ([Int64], Int, Int) = ([], 0, 0)
      var after = ""
      while true {
        let data = try bench.send(
          "GET", "/v1/devices/phone-0/data?limit=\(limit)\(after)", "", phones[0].bearer
        ).object
        contacts += (data["contacts"] as? [[String: Any]] ?? []).compactMap { ($0["start"] as? NSNumber)?.int64Value }
        positions += (data["positions"] as? [Any] ?? []).count
        pages += 1
        guard let next = data["next_after"] as? String else { return (contacts, positions, pages) }
        after = "&after=\(next)"
      }
    }
    let whole = try pages(10_000)
    #expect(whole.pages == 1 && whole.positions == 144)
    #expect(whole.contacts.count == 18)
    for limit in [1, 7, 50] {
      let cut = try pages(limit)
      #expect(cut.pages >= 144 / limit)
      #expect(cut.positions == 144 && cut.contacts == whole.contacts, "\(limit) a page")
    }
  }
}
