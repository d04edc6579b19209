import CordonCore
import CordonIngest
import CordonTesting
import CordonWire
import Foundation
import Testing

@Suite("Overland and OwnTracks")
struct ReceiverTests {
  private func feature(_ bench: Bench, seconds: Int64, east: Double = 0, _ extra: String = "") -> String {
    let place = bench.venue.place(east: east, north: 0)
    let time = (bench.now - .seconds(seconds)).rfc3339
    return #"""
      {"type":"Feature","geometry":{"type":"Point","coordinates":[\#(place.longitude),\#(place.latitude)]},
       "properties":{"timestamp":"\#(time)","horizontal_accuracy":5,"altitude":-1,"speed":-1,"motion":["walking"],
       "battery_level":0.8,"wifi":"My Network","device_id":"label"\#(extra)}}
      """#
  }

  @Test func aBatchIsCompleteWhenEveryRowHasAVerdict() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let body = """
      {"locations":[\(feature(bench, seconds: 1)),\(feature(bench, seconds: 2, east: 900)),
       {"type":"Feature","geometry":null,"properties":{"action":"visit"}},{"type":"trip","mode":"walk"},7,null,
       \(feature(bench, seconds: 3, #","horizontal_accuracy":-1"#)),\(feature(bench, seconds: -86_400)),
       \(feature(bench, seconds: 4, #","floor":2"#)),\(feature(bench, seconds: 1))],
       "current":\(feature(bench, seconds: 0)),"trip":{"distance":12.5,"mode":"bicycle"},"unknown":[{}]}
      """
    for user in [Bench.basic("phone-1", phone.secret), phone.bearer] {
      let response = bench.send("POST", "/overland", body, user)
      #expect(response.status == 200)
      #expect(Overland.isAccepted(response.body), "\(response.text)")
    }
    let answer = try bench.send("POST", "/overland", body, phone.bearer).object
    #expect(answer["stored"] as? Int == 0)
    #expect(answer["known"] as? Int == 3)
    let discarded = try #require(answer["discarded"] as? [String: Int])
    #expect(discarded == ["outside": 1, "not-a-location": 2, "malformed": 2, "accuracy": 1, "future": 1])
    #expect(try bench.store.positionCount() == 2)
    let bearer = IngestRequest.Header("authorization", "Bearer \(phone.secret)")
    #expect(bench.send("POST", "/overland?device=phone-1", body, bearer).status == 200)
  }

  /// A batch without a readable place stays on the phone; visits and trips are accepted.
  @Test func aBatchOfWhichNothingCanBeReadIsNotOK() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    func answer(_ locations: String) -> IngestResponse {
      bench.send("POST", "/overland", #"{"locations":[\#(locations)]}"#, phone.bearer)
    }
    let place = #""geometry":{"type":"Point","coordinates":["11.5","48.1"]}"#
    for locations in [
      #"{"a":1},{"a":1}"#, "7", "null,[]", #"{"type":"Feature",\#(place),"properties":{"timestamp":1}}"#,
      #"{"type":"Feature","geometry":null,"properties":{"action":"visit"}},{"latitude":48.1,"longitude":11.5}"#,
    ] {
      let response = answer(locations)
      #expect(response.status == 422 && response.code == "malformed", "\(locations): \(response.text)")
      #expect(!Overland.isAccepted(response.body))
    }
    for locations in [
      "", #"{"type":"Feature","geometry":null,"properties":{"action":"visit"}}"#, #"{"type":"trip"}"#,
      #"{"type":"Feature","properties":{"type":"trip"}}"#, #"{"a":1},\#(feature(bench, seconds: 1))"#,
    ] { #expect(Overland.isAccepted(answer(locations).body), "\(locations)") }
  }

  /// A phone without a reported consent does not send its rows again: they are discarded and counted.
  @Test func rowsWithoutConsentAreDiscardedAndTheQueueContinues() throws {
    let bench = try Bench()
    let secret = try bench.activate("phone-1")
    let user = Bench.basic("phone-1", secret)
    let body = #"{"locations":[\#(feature(bench, seconds: 1)),\#(feature(bench, seconds: 2))]}"#
    let response = bench.send("POST", "/overland", body, user)
    #expect(Overland.isAccepted(response.body))
    #expect(try response.object["discarded"] as? [String: Int] == ["no-consent": 2])
    #expect(try bench.store.positionCount() == 0)
    let consent = #"{"version": "1", "purposes": ["record", "share"], "time": \#(bench.now.milliseconds)}"#
    #expect(bench.send("PUT", "/v1/devices/phone-1/consent", consent, user).status == 204)
    #expect(try bench.send("POST", "/overland", body, user).object["stored"] as? Int == 2)
  }

  @Test func batchesOfOurClientAreRead() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let rows = try (0..<4).map {
      try bench.location("phone-1", at: bench.now - .seconds(Int64(100 - $0)), still: .seconds(Int64($0)))
    }
    let response = bench.ingest.handle(
      IngestRequest("POST", "/overland", headers: [phone.bearer], body: Overland.encode(rows)), now: bench.now)
    #expect(Overland.isAccepted(response.body))
    let kept = try bench.store.positions(of: try bench.number(of: "phone-1"), after: nil, limit: 9)
    #expect(kept.map(\.id) == rows.map(\.id))
    #expect(kept.map(\.stillUntil) == rows.map { $0.stillUntil?.milliseconds })
    #expect(try bench.post(rows, by: phone) == Array(repeating: .known, count: 4))
  }

  @Test func onlyAllowedFieldsAreStored() throws {
    let bench = try Bench(inFile: true)
    let phone = try bench.phone("phone-1")
    let body = #"{"locations":[\#(feature(bench, seconds: 1, #","trip_id":"SECRET-TRIP""#))]}"#
    #expect(bench.send("POST", "/overland", body, phone.bearer).status == 200)
    _ = try bench.store.scrub()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    for word in ["My Network", "SECRET-TRIP", "walking", "label"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
  }

  @Test func batteryLevelsAreStoredOnlyOnRequest() throws {
    for isAsked in [false, true] {
      var settings = IngestSettings()
      settings.keepsBattery = isAsked
      let bench = try Bench(settings)
      let phone = try bench.phone("phone-1")
      let place = bench.venue.place(east: 0, north: 0)
      let seconds = bench.now.milliseconds / 1_000
      let unknown = feature(bench, seconds: 2, #","battery_level":-1"#)
      bench.send("POST", "/overland", #"{"locations":[\#(feature(bench, seconds: 3)),\#(unknown)]}"#, phone.bearer)
      bench.send(
        "POST", "/owntracks",
        #"{"_type":"location","lon":\#(place.longitude),"lat":\#(place.latitude),"tst":\#(seconds),"acc":9,"batt":47}"#,
        phone.bearer)
      let data = try bench.send("GET", "/v1/devices/phone-1/data", "", phone.bearer).object
      let kept = (data["positions"] as? [[String: Any]] ?? []).map { $0["battery_percent"] as? Int }
      #expect(kept == (isAsked ? [80, nil, 47] : [nil, nil, nil]))
    }
  }

  @Test func ownTracksSendsOneMessageAtATime() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let user = Bench.basic("phone-1", phone.secret)
    let place = bench.venue.place(east: 0, north: 0)
    let seconds = bench.now.milliseconds / 1_000
    let location =
      #"{"_type":"location","lon":\#(place.longitude),"lat":\#(place.latitude),"tst":\#(seconds),"acc":9,"batt":50,"tid":"ab"}"#
    let messages = [
      location, location, #"{"_type":"waypoint","lat":1}"#, #"{"_type":"encrypted","data":"x"}"#, "{}", "[]",
      #"{"_type":"location","lat":"north"}"#, "[\(location)]",
    ]
    for message in messages {
      let response = bench.send("POST", "/owntracks", message, user)
      #expect(response.status == 200, "\(message)")
      #expect(response.text == "[]")
    }
    #expect(try bench.store.positionCount() == 1)
    #expect(bench.ingest.metrics.refused["encrypted"] == 1)
    #expect(bench.send("POST", "/owntracks", "{", user).status == 400)
    #expect(bench.send("POST", "/owntracks", location, Bench.basic("phone-1", "guess")).status == 401)
    #expect(bench.send("POST", "/owntracks", location).status == 401)
    bench.send("DELETE", "/v1/devices/phone-1", #"{"secret": "\#(phone.secret)"}"#)
    #expect(bench.send("POST", "/owntracks", location, user).status == 410)
  }

  /// The form that Overland documents, and others that phones send.
  @Test(arguments: ["-0700", "-07:00", "-07"])
  func offsetsAreReadInEveryNotation(offset: String) throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let utc = (bench.now - .seconds(5)).rfc3339
    let local = (bench.now - .seconds(5) - .hours(7)).rfc3339.prefix(19) + offset
    let body = #"{"locations":[\#(feature(bench, seconds: 5).replacingOccurrences(of: utc, with: local))]}"#
    let answer = bench.send("POST", "/overland", body, phone.bearer)
    #expect(answer.status == 200 && Overland.isAccepted(answer.body))
    #expect(try answer.object["stored"] as? Int == 1, "\(answer.text)")
  }

  /// A phone deletes rows that are answered with "ok".
  @Test func aBatchWithoutReadableTimesIsRefused() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let good = feature(bench, seconds: 5)
    let bad = good.replacingOccurrences(of: (bench.now - .seconds(5)).rfc3339, with: "yesterday")
    let visit = #"{"type":"Feature","geometry":null,"properties":{"action":"visit"}}"#
    for body in [bad, "\(bad),\(bad)", "\(bad),\(visit)"] {
      let answer = bench.send("POST", "/overland", #"{"locations":[\#(body)]}"#, phone.bearer)
      #expect(answer.status == 422 && !Overland.isAccepted(answer.body), "\(answer.text)")
    }
    let mixed = bench.send("POST", "/overland", #"{"locations":[\#(bad),\#(good)]}"#, phone.bearer)
    #expect(mixed.status == 200)
    #expect(try mixed.object["discarded"] as? [String: Int] == ["bad-time": 1])
    #expect(try mixed.object["stored"] as? Int == 1)
    // A visit alone does not block the queue.
    #expect(bench.send("POST", "/overland", #"{"locations":[\#(visit)]}"#, phone.bearer).status == 200)
    let place = bench.venue.place(east: 0, north: 0)
    let message = #"{"_type":"location","lon":\#(place.longitude),"lat":\#(place.latitude),"acc":9,"tst":"soon"}"#
    #expect(bench.send("POST", "/owntracks", message, phone.bearer).status == 422)
  }
}
