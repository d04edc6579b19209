import CordonCore
import CordonIngest
import CordonTesting
import CordonWire
import Foundation
import Testing

/// A wrong clock of the server loses no row.
@Suite("The server's clock") struct ClockTests {
  private func rows(_ bench: Bench, _ name: String, at time: Instant, _ count: Int = 5) throws -> [Location] {
    try (0..<count).map { try bench.location(name, at: time - .seconds(Int64(10 * (count - $0)))) }
  }

  private func isRefused(_ status: RowStatus) -> Bool { if case .refused = status { true } else { false } }

  /// The server is three days behind from the start. It is unknown whose clock is wrong, so nothing is refused for
  /// good.
  @Test func futureRowsAreRequestedAgain() throws {
    let bench = try Bench()
    let truth = bench.now + .days(3)
    let phone = try bench.phone("a")
    let batch = try rows(bench, "a", at: truth)
    #expect(try bench.post(batch, by: phone).allSatisfy { $0 == .retry })
    #expect(bench.ingest.metrics.refused["future"] == nil)
    bench.now = truth
    let again = Bench.Phone(id: "a", secret: phone.secret, token: try bench.token("a", secret: phone.secret))
    #expect(try bench.post(batch, by: again).allSatisfy { $0 == .stored })
  }

  /// When most devices agree with the server, the rows of a device that is ahead are refused.
  @Test func aDeviceAheadOfTheOthersIsRefused() throws {
    let bench = try Bench()
    let ahead = try bench.phone("z")
    var phones: [Bench.Phone] = []
    for name in ["a", "b", "c", "d", "e"] {
      // A few devices that agree may have sent old rows: the batch is requested again.
      let answers = try bench.post(try rows(bench, "z", at: bench.now + .hours(5)), by: ahead)
      #expect(answers.allSatisfy { $0 == .retry })
      phones.append(try bench.phone(name))
      try bench.post(try rows(bench, name, at: bench.now), by: phones[phones.count - 1])
    }
    let answers = try bench.post(try rows(bench, "z", at: bench.now + .hours(5)), by: ahead)
    #expect(answers.allSatisfy(isRefused))
    // One row far ahead of its neighbours does not indicate a wrong clock.
    let mixed = try rows(bench, "a", at: bench.now, 3) + [try bench.location("a", at: bench.now + .hours(3))]
    #expect(try bench.post(mixed, by: phones[0]).map(isRefused) == [false, false, false, true])
  }

  /// A clock that is set back contradicts the stored rows: no agreement of devices is needed.
  @Test func aClockSetBackIsDetected() throws {
    let bench = try Bench()
    let phones = try ["a", "b", "c"].map { try bench.phone($0) }
    for phone in phones { try bench.post(try rows(bench, phone.id, at: bench.now), by: phone) }
    #expect(bench.ingest.isReady(now: bench.now))
    let truth = bench.now
    bench.now = truth - .minutes(30)
    #expect(!bench.ingest.isReady(now: bench.now))
    let token = try bench.token("a", secret: phones[0].secret)
    let answers = try bench.post(
      try rows(bench, "a", at: truth + .seconds(30)), by: .init(id: "a", secret: "", token: token))
    #expect(answers.allSatisfy { $0 == .retry || $0 == .known || $0 == .stored })
    #expect(answers.contains(.retry))
    // A restart does not forget it.
    bench.restart()
    #expect(!bench.ingest.isReady(now: bench.now))
    bench.now = truth + .minutes(1)
    #expect(bench.ingest.isReady(now: bench.now))
  }

  /// The server is weeks ahead: rows seem too old, and stored rows seem due for deletion.
  @Test func aClockRunningAheadDeletesAndRefusesNothing() throws {
    let bench = try Bench()
    let phones = try ["a", "b"].map { try bench.phone($0) }
    for phone in phones { try bench.post(try rows(bench, phone.id, at: bench.now), by: phone) }
    let truth = bench.now + .minutes(1)
    bench.now = truth + .days(20)
    var answers: [RowStatus] = []
    for phone in phones {
      let token = try bench.token(phone.id, secret: phone.secret)
      answers = try bench.post(try rows(bench, phone.id, at: truth), by: .init(id: phone.id, secret: "", token: token))
    }
    #expect(answers.allSatisfy { $0 == .retry }, "as soon as two say so")
    #expect(!bench.ingest.isReady(now: bench.now))
    while bench.ingest.tick(now: bench.now) {}
    #expect(try bench.store.positionCount() == 10)
  }

  /// Phones that delete a batch with its answer do not receive a success.
  @Test(arguments: ["overland", "owntracks", "published"])
  func noFormatReportsSuccessForDoubtfulRows(_ format: String) throws {
    var settings = IngestSettings()
    settings.published = .init(user: "user", password: "a password of length")
    let bench = try Bench(settings)
    let truth = bench.now + .days(3)
    let place = bench.venue.place(east: 0, north: 0)
    switch format {
    case "overland", "owntracks":
      let phone = try bench.phone("a")
      let body =
        format == "overland"
        ? """
        {"locations": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [\(place.longitude), \(place.latitude)]},
        "properties": {"timestamp": "\(truth.rfc3339)", "horizontal_accuracy": 5}}]}
        """
        : """
        {"_type": "location", "lon": \(place.longitude), "lat": \(place.latitude), "acc": 5, "tst": \(truth.milliseconds / 1_000)}
        """
      let answer = bench.send("POST", "/\(format)", body, Bench.basic("a", phone.secret))
      #expect(answer.status == 503 && answer.code == "clock-doubtful", "\(answer.text)")
      #expect(answer.header("retry-after") != nil)
      bench.now = truth
      #expect(bench.send("POST", "/\(format)", body, Bench.basic("a", phone.secret)).status == 200)
    default:
      let made = bench.send(
        "POST", "/invite-code/small-venue", #"{"maxUses": 1}"#, Bench.basic("user", "a password of length"))
      let code = try made.string("code")
      #expect(bench.send("POST", "/device/old/activate", #"{"code": "\#(code)"}"#).status == 200)
      func post() throws -> Int? {
        let token = try bench.send("GET", "/device/old/token").string("token")
        let body = """
          [{"device": "old", "venue": "small-venue", "time": \(truth.milliseconds),
          "lonlat": [\(place.longitude), \(place.latitude)], "acc": 5, "userConsent": true}]
          """
        let answer = bench.send("POST", "/positions", body, .init("authorization", "Bearer \(token)"))
        let list = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]]
        return list?.first?["status"] as? Int
      }
      #expect(try post() == 500)
      bench.now = truth
      #expect(try post() == 200)
      return
    }
    #expect(try bench.store.positionCount() == 1)
  }

  /// A withdrawal that a slow clock stamped stays in force when an older consent arrives late.
  @Test func aWithdrawalByAClockBehindIsNotOutdated() throws {
    let bench = try Bench()
    let phone = try bench.phone("a")
    try bench.post(try rows(bench, "a", at: bench.now), by: phone)
    let truth = bench.now + .seconds(30)
    bench.now = bench.now - .hours(2)
    let token = try bench.token("a", secret: phone.secret)
    func agree(_ purposes: String, _ time: Instant) {
      let answer = bench.send(
        "PUT", "/v1/devices/a/consent", #"{"version": "1", "purposes": [\#(purposes)], "time": \#(time.milliseconds)}"#,
        .init("authorization", "Bearer \(token)"))
      #expect(answer.status == 204)
    }
    agree("", truth)
    agree(#""record", "share""#, truth - .minutes(10))
    let id = try #require(DeviceID("a"))
    #expect(try bench.store.device(id)?.mayRecord == false)
  }
}
