import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonIngest
import CordonServer
import CordonSupport
import CordonVenues
import CordonWire
import Foundation

/// A week of the demo before the server starts: people come on weekdays, fewer at weekends, and the server's core takes their
/// positions hour by hour, at the times of that week, as it takes those of phones.
struct DemoWeek {
  let places: [DemoVenue]
  let seed: UInt64
  let admin: (id: String, key: String)
  /// People of a venue.
  static let people = 24
  /// The days before the present one.
  static let days = 7

  /// A device with its token and the rows that it has not sent.
  private struct Phone {
    var id: DeviceID
    var token = ""
    var rows: [Location] = []
    var sent = 0
  }

  /// Fills the store of a folder up to the present.
  func fill(
    _ folder: DataFolder, _ limits: IngestSettings, load: (IngestSettings) throws -> RequestPreprocessor
  ) throws {
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    var settings = limits
    // One token for the whole week: the clock of the week runs in minutes.
    settings.tokenLifetime = .days(30)
    let ingest = Ingest(preprocessor: try load(settings), store: try folder.openStore(), random: .secure())
    ingest.cases = try SQLiteCaseStore(path: folder.casesPath)
    let start = now - .days(Int64(Self.days))
    var phones: [Phone] = []
    for (index, place) in places.enumerated() {
      var schedule = try DemoSchedule(place, seed: seed &+ UInt64(index), people: Self.people)
      let code = try member(
        "code",
        of: order(
          ingest, "POST", "/v1/operator/invite-codes",
          #"{"venue":"\#(place.map.id.rawValue)","maximum_uses":\#(Self.people)}"#, basic, at: start))
      for person in 0..<Self.people {
        var phone = Phone(id: schedule.device(person))
        let path = "/v1/devices/\(phone.id.rawValue)"
        let secret = try member(
          "secret", of: order(ingest, "POST", path + "/activate", #"{"code":"\#(code)","type":"demo"}"#, nil, at: start)
        )
        phone.token =
          "Bearer "
          + (try member(
            "token", of: order(ingest, "POST", path + "/token", #"{"secret":"\#(secret)"}"#, nil, at: start)))
        let consent = #"{"version":"demo","purposes":["record","share"],"time":\#(start.milliseconds)}"#
        _ = try order(ingest, "PUT", path + "/consent", consent, phone.token, at: start)
        phones.append(phone)
      }
      let first = phones.count - Self.people
      for day in 0...Self.days {
        for (person, rows) in schedule.rows(daysBefore: Self.days - day, now: now).enumerated() {
          phones[first + person].rows += rows
        }
      }
    }
    var hour = start
    while hour < now {
      hour = min(hour + .hours(1), now)
      send(&phones, to: ingest, at: hour)
    }
    try makeCase(of: phones[0].id, at: places[0], ingest, now: now)
    ingest.alerts = try SQLiteAlertStore(path: folder.alertsPath)
    for place in places {
      for rule in [
        #""kind":"over-capacity","name":"A room over capacity","threshold":100,"lasting_s":0"#,
        #""kind":"more-than","name":"More than five devices","threshold":5,"lasting_s":0"#,
        #""kind":"no-data","name":"No data","lasting_s":300"#,
      ] {
        _ = try order(
          ingest, "POST", "/v1/operator/alerts", #"{"venue":"\#(place.map.id.rawValue)",\#(rule)}"#, basic, at: now)
      }
    }
    ingest.end()
  }

  /// An index case of two days ago, whose first contacts were notified.
  private func makeCase(of device: DeviceID, at place: DemoVenue, _ ingest: Ingest, now: Instant) throws {
    let onset = now - .days(2)
    let body = """
      {"venue":"\(place.map.id.rawValue)","device":"\(device.rawValue)","label":"Demo 17","reason":"demo case",\
      "onset":"\(onset.milliseconds)","from":"\((onset - .days(2)).milliseconds)","to":"\(now.milliseconds)",\
      "threshold_minutes":10}
      """
    let made = try order(ingest, "POST", "/v1/operator/cases", body, basic, at: now)
    let file = try? JSONSerialization.jsonObject(with: Data(made)) as? [String: Any]
    guard let number = file?["number"] as? Int else { throw CommandError("an answer without number") }
    let path = "/v1/operator/cases/\(number)"
    let found = try order(ingest, "POST", path + "/exposures", #"{"reason":"demo case"}"#, basic, at: now)
    let answer = try? JSONSerialization.jsonObject(with: Data(found)) as? [String: Any]
    let met = (answer?["exposures"] as? [[String: Any]] ?? []).compactMap { $0["device"] as? String }
    for (name, status) in zip(met, ["reached", "notified", "declined"]) {
      let order = #"{"reason":"demo case","device":"\#(name)","status":"\#(status)","note":"demo"}"#
      _ = try self.order(ingest, "PUT", path + "/status", order, basic, at: now)
    }
  }

  /// Sends what every device recorded up to a time, in one transaction.
  private func send(_ phones: inout [Phone], to ingest: Ingest, at time: Instant) {
    var batches: [RequestPreprocessor.Prepared] = []
    for index in phones.indices {
      let rest = phones[index].rows[phones[index].sent...].prefix { ($0.stillUntil ?? $0.time) <= time }
      guard !rest.isEmpty else { continue }
      phones[index].sent += rest.count
      let request = IngestRequest(
        "POST", "/v1/positions", headers: [.init("authorization", phones[index].token)],
        body: PositionBatch.encode(Array(rest)), peer: "demo")
      batches.append(ingest.preprocessor.prepare(request, now: time))
    }
    if !batches.isEmpty { _ = ingest.perform(batches, now: time) }
    while ingest.tick(now: time) {}
  }

  private var basic: String { "Basic " + Data("\(admin.id):\(admin.key)".utf8).base64EncodedString() }

  private func order(
    _ ingest: Ingest, _ method: String, _ path: String, _ body: String, _ authorization: String?, at time: Instant
  ) throws -> [UInt8] {
    let headers = authorization.map { [IngestRequest.Header("authorization", $0)] } ?? []
    let answer = ingest.handle(
      IngestRequest(method, path, headers: headers, body: Array(body.utf8), peer: "demo"), now: time)
    guard (200..<300).contains(answer.status) else {
      throw CommandError("the demo could not be filled: \(String(decoding: answer.body, as: UTF8.self))")
    }
    return answer.body
  }

  private func member(_ name: String, of body: [UInt8]) throws -> String {
    let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    guard let text = object?[name] as? String else { throw CommandError("an answer without \(name)") }
    return text
  }
}
