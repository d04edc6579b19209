import Cordon
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTracking
import Foundation
import Testing

/// From the fixes of gpsd to the visits of an Overland receiver.
@Suite("Visits of cordon-track", .timeLimit(.minutes(5)))
struct VisitingProviderTests {
  private struct Fixes: LocationProvider {
    let fixes: [Fix]
    func events() -> AsyncStream<ProviderEvent> {
      let (stream, continuation) = AsyncStream.makeStream(of: ProviderEvent.self)
      for fix in fixes { continuation.yield(.fix(fix)) }
      continuation.finish()
      return stream
    }
    func perform(_ command: ProviderCommand) {}
    var issues: [MonitorIssue] { [MonitorIssue("deaf", "it is deaf", remedy: "none")] }
  }

  private static let start = Instant(milliseconds: 1_767_254_400_000)
  private static let frame = LocalFrame(origin: Coordinate(longitude: 8.5, latitude: 47.25))

  /// 20 minutes at a place, a way of 600 m in 400 s, half an hour there, an hour without fixes, and ten minutes back at the first
  /// place; a fix every 5 s.
  private static func day(isMocked: Bool = false) -> [Fix] {
    var fixes: [Fix] = []
    func fix(_ second: Double, _ east: Double) {
      fixes.append(
        Fix(
          coordinate: frame.unproject(PlanePoint(x: east, y: 0)), accuracy: 4, floor: nil,
          time: start + .seconds(Int64(second)), isMocked: isMocked))
    }
    for second in stride(from: 5.0, to: 1_200, by: 5) { fix(second, 0) }
    for second in stride(from: 1_200.0, to: 1_600, by: 5) { fix(second, (second - 1_200) * 1.5) }
    for second in stride(from: 1_600.0, to: 3_400, by: 5) { fix(second, 600) }
    for second in stride(from: 7_000.0, to: 7_600, by: 5) { fix(second, 0) }
    return fixes
  }

  /// The features of all requests of a tracker with a policy.
  private func features(
    _ fixes: [Fix], _ purposes: Consent.Purposes = [.record, .share, .everywhere],
    _ change: (inout TrackingPolicy) -> Void
  ) async throws -> [[String: Any]] {
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.overland, purposes: .everywhere)]
    var policy = TrackingPolicy()
    change(&policy)
    configuration.everywhere = policy
    let now = ClockReading(virtual: Self.start)
    var driver = RuntimeDriver(
      try Runtime(
        configuration: configuration, store: MemoryStore(), entropy: .stream(RandomStream(seed: 3, stream: 1)),
        at: now), at: now)
    let provider = VisitingProvider(Fixes(fixes: fixes), now: { Self.start })
    let endpoint = SinkEndpoint(OverlandFormat(), url: try #require(URL(string: "https://example.org/in")))
    var features: [[String: Any]] = []
    func perform() throws {
      while let output = driver.nextOutput() {
        for command in output.commands { provider.perform(command) }
        for request in output.requests {
          guard case .positions(let rows, _) = request.body, let message = endpoint.message(for: request) else {
            continue
          }
          let body = try #require(try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any])
          features += body["locations"] as? [[String: Any]] ?? []
          driver.receive(
            SinkResponse(
              number: request.number, status: 200, body: .rows(rows.map { RowAnswer(id: $0.id, status: .stored) })))
        }
      }
    }
    driver.step(.consent(Consent(version: "1", purposes: purposes, time: now.wall)))
    driver.step(.start)
    try perform()
    for try await event in provider.events() {
      if case .fix(let fix) = event {
        let next = now + (fix.time - Self.start)
        while driver.advance(to: next) { try perform() }
      }
      driver.step(.provider(event))
      try perform()
    }
    let end = driver.now + .hours(1)
    while driver.advance(to: end) { try perform() }
    return features
  }

  private func visits(_ features: [[String: Any]]) -> [(arrival: Double, departure: Double?)] {
    features.compactMap { feature in
      guard let properties = feature["properties"] as? [String: Any], properties["action"] as? String == "visit",
        let arrival = properties["arrival_date"] as? String, let time = try? Instant(rfc3339: arrival)
      else { return nil }
      let departure = (properties["departure_date"] as? String).flatMap { try? Instant(rfc3339: $0) }
      return ((time - Self.start).seconds, departure.map { ($0 - Self.start).seconds })
    }
  }

  @Test func arrivalsAndDeparturesAreFeatures() async throws {
    let features = try await features(Self.day()) { $0.mode = .visits }
    let found = visits(features)
    #expect(found.count == features.count, "a policy of visits records nothing else")
    let arrivals = found.map(\.arrival)
    // Three visits; those that ended are there with and without their departures.
    for (index, truth) in [5.0, 5, 1_600, 1_600, 7_000].enumerated() {
      #expect(arrivals.indices.contains(index) && abs(arrivals[index] - truth) <= 20, "\(found)")
    }
    #expect(arrivals.count == 5)
    let departures = found.compactMap(\.departure)
    #expect(departures.count == 2)
    // The second place was left in a gap: the visit ends with the last fix there.
    for (departure, truth) in zip(departures, [1_200.0, 3_395]) { #expect(abs(departure - truth) <= 20, "\(found)") }
  }

  @Test func visitsAccompanyPositions() async throws {
    let features = try await features(Self.day()) {
      $0.minimumInterval = .seconds(60)
      $0.recordsVisits = true
    }
    #expect(visits(features).compactMap(\.departure).count == 2 && features.count > 50)
  }

  @Test func nothingIsReportedWithoutAWishAConsentOrAMeasurement() async throws {
    #expect(visits(try await features(Self.day()) { _ in }).isEmpty, "visits were not asked for")
    #expect(try await features(Self.day(), [.record, .share]) { $0.mode = .visits }.isEmpty)
    #expect(try await features(Self.day(isMocked: true)) { $0.mode = .visits }.isEmpty)
    let late = Self.day().map { fix -> Fix in
      var fix = fix
      fix.time = fix.time - .hours(9)
      return fix
    }
    #expect(try await features(late) { $0.mode = .visits }.isEmpty, "fixes from before the start show no visit")
  }

  @Test func everythingElseIsPassedOn() {
    let provider = VisitingProvider(Fixes(fixes: []))
    #expect(provider.issues.map(\.code) == ["deaf"])
  }
}
