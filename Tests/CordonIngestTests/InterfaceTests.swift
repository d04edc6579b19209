import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonTesting
import CordonVenueTools
import CordonVenues
import CordonWire
import Foundation
import Testing

@testable import CordonIngest

/// The description (OpenAPI) lists exactly the addresses and statuses of the core.
@Suite("The interface and its description") struct InterfaceTests {
  /// The statuses of each `METHOD /address` of the description.
  private static func documented() throws -> [String: Set<Int>] { try statusesOfDescription.get() }

  /// Read once for all cases.
  private static let statusesOfDescription = Result { try readStatuses() }

  private static func readStatuses() throws -> [String: Set<Int>] {
    let root = Places.package
    let data = try Data(contentsOf: root.appendingPathComponent("Sources/CordonServer/Pages/openapi.json"))
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let paths = try #require(object?["paths"] as? [String: [String: Any]])
    var found: [String: Set<Int>] = [:]
    for (path, item) in paths {
      for (method, operation) in item {
        let responses = try #require((operation as? [String: Any])?["responses"] as? [String: Any])
        found["\(method.uppercased()) \(path)"] = Set(responses.keys.compactMap(Int.init))
      }
    }
    return found
  }

  /// The routes of the HTTP shell; its own tests compare them with the description.
  private static let ofTheShell = [
    "/health", "/livez", "/readyz", "/metrics", "/v1/operator/events", "/openapi.json", "/v1/operator/accounts",
    "/v1/operator/accounts/{operator}", "/v1/operator/accounts/{operator}/password", "/v1/operator/account-events",
    "/v1/operator/password", "/v1/operator/one-time-codes", "/v1/operator/sessions", "/v1/operator/sessions/{number}",
    "/v1/forms", "/v1/forms/{form}", "/v1/forms/{form}/sync", "/v1/forms/{form}/records",
    "/v1/forms/{form}/records/{record}", "/v1/operator/forms", "/v1/operator/form-check", "/v1/operator/forms/{form}",
    "/v1/operator/forms/{form}/keys", "/v1/operator/forms/{form}/keys/{number}", "/v1/operator/forms/{form}/records",
    "/v1/operator/forms/{form}/summary", "/v1/operator/forms/{form}/records/{record}",
  ]

  @Test func exactlyTheDescribedRoutesExist() throws {
    let described = Set(
      try Self.documented().keys.filter { key in
        !key.contains(" /v1/studies") && !Self.ofTheShell.contains { key.hasSuffix(" \($0)") }
      })
    let answered = Set(Endpoint.allCases.map(\.rawValue)).subtracting(["GET /health"])
    #expect(answered.subtracting(described) == [], "not described")
    #expect(described.subtracting(answered) == [], "not answered")
  }

  /// An address lists its methods when another one is used; unknown addresses are not found.
  @Test func undescribedRoutesAreNotAnswered() throws {
    var settings = IngestSettings()
    settings.published = .init(user: "user", password: "pass")
    let bench = try Bench(settings)
    var methods: [String: Set<String>] = [:]
    for endpoint in Endpoint.allCases {
      let words = endpoint.rawValue.split(separator: " ").map(String.init)
      methods[words[1], default: []].formUnion([words[0]] + (endpoint.answersHead ? ["HEAD"] : []))
    }
    for (address, known) in methods {
      let path = address.replacingOccurrences(of: "{device}", with: "a").replacingOccurrences(of: "{venue}", with: "b")
        .replacingOccurrences(of: "{number}", with: "1")
      for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        let answer = bench.ingest.handle(IngestRequest(method, path, peer: "test"), now: bench.now)
        #expect((answer.status == 405) == !known.contains(method), "\(method) \(path): \(answer.status)")
        guard answer.status == 405 else { continue }
        let allowed = try #require(answer.header("allow"))
        #expect(Set(allowed.split(separator: ",").map { $0.filter { $0 != " " } }) == known, "\(path)")
      }
      #expect(bench.send("GET", path + "/x/y/z").status == 404)
    }
  }

  /// A device of each kind, venues with and without files, codes, and credentials of each role.
  private struct World {
    let bench: Bench
    var credentials: [[IngestRequest.Header]] = [[]]
    /// Values for the names in braces.
    var names: [String: [String]] = [:]
    var secrets: [String: String] = [:]
    var codes: [String: String] = [:]
    /// Whether to send bodies that take long to read.
    var sendsLargeBodies = false

    private static let office = Result {
      let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 400, seed: 7)
      return (map: venue, packed: try venue.packed())
    }

    init(_ change: (inout IngestSettings) -> Void) throws {
      var settings = IngestSettings()
      settings.published = .init(user: "user", password: "pass")
      settings.failuresPerMinute = 1_000_000
      bench = try Bench(settings)
      let office = try Self.office.get()
      var served = try ServedVenue(
        packed: office.packed, name: "full", bundle: .init(bytes: [1], mediaType: "application/zip", hash: "x"))
      served.document = PlanDocument(office.map, packed: office.packed)
      let full = served
      func preprocessor() -> RequestPreprocessor {
        let known = Bench.preprocessor(settings, bench.venue, bench.keys, bench.admin)
        return RequestPreprocessor(
          settings: settings,
          catalog: VenueCatalog([ServedVenue(gate: bench.venue), ServedVenue(gate: SmallVenue("elsewhere")), full]),
          signer: PlainSigner(), keys: bench.keys, operators: known.operators)
      }
      bench.ingest.replace(preprocessor())
      let start = bench.now
      bench.now = start - .hours(2)
      let ended = try bench.phone("phone-1")
      bench.now = start
      let token = try bench.token("phone-1", secret: ended.secret)
      let revoked = try bench.phone("phone-2")
      _ = bench.asAdmin("POST", "/v1/operator/devices/phone-2/revoke", #"{"reason": "case 9"}"#)
      let erased = try bench.phone("erased-1")
      _ = bench.asAdmin("DELETE", "/v1/devices/erased-1", #"{"reason": "case 9"}"#)
      let foreign = try bench.phone("phone-far", code: try bench.invite(venue: full.id.rawValue))
      let old = try PublishedTests.phone(bench, "old-1")
      let oldErased = try PublishedTests.phone(bench, "old-2")
      _ = bench.asAdmin("DELETE", "/v1/devices/old-2", #"{"reason": "case 9"}"#)
      secrets = ["phone-1": ended.secret, "erased-1": erased.secret]
      let page = bench.send("POST", "/v1/devices/phone-1/page-code", "", .init("authorization", "Bearer \(token)"))
      codes = [
        "page": try page.object["code"] as? String ?? "", "new": try bench.invite(),
        "old": try PublishedTests.code(bench),
      ]
      credentials += [
        [.init("authorization", "Bearer nonsense")], [Bench.basic("op-admin", bench.admin)],
        [Bench.basic("op-viewer", "viewer's")], [Bench.basic("op-desk", "desk's")],
        [Bench.basic("op-bound", "bound's")], [Bench.basic("op-meter", "meter's")],
        [Bench.basic("user", "pass")], [Bench.basic("phone-1", ended.secret)], [Bench.basic("erased-1", erased.secret)],
        [.init("authorization", "Bearer \(ended.secret)")], [.init("authorization", "Bearer \(erased.secret)")],
        [.init("authorization", "Bearer \(token)")], [ended.bearer], [revoked.bearer], [erased.bearer],
        [foreign.bearer], [old], [oldErased],
      ]
      let file = CaseRecord(
        venue: bench.venue.venue, label: "A", device: try #require(DeviceID("phone-1")), from: start - .days(1),
        to: start, thresholdMinutes: 15, wallPercent: 100, note: "", created: start, creator: "op-admin")
      for _ in 0..<4 { _ = try bench.ingest.cases.save(file) }
      let rule = AlertRule(
        venue: bench.venue.venue, kind: .noData, name: "A", threshold: 1, lasting: 60, isOn: true)
      for _ in 0..<4 { _ = try bench.ingest.alerts.save(rule) }
      let notice = CaseNotice(
        caseNumber: 1, device: file.device, exposed: start, template: "exposure", advice: "", created: start,
        expires: start + .days(1))
      _ = try bench.ingest.cases.save(notice)
      let number = try #require(try bench.store.invites(of: bench.venue.venue).last?.number)
      names = [
        "device": ["phone-1", "old-1", "erased-1", "nobody", String(repeating: "x", count: 200), "%ff"],
        "venue": ["small-venue", full.id.rawValue, "elsewhere", "nowhere", "%ff"],
        "number": ["\(number)", "99999", "x", "%ff"],
      ]
      change(&settings)
      bench.ingest.replace(preprocessor())
    }

    struct Body {
      var bytes: [UInt8]
      var headers: [IngestRequest.Header] = []

      init(_ text: String, _ headers: IngestRequest.Header...) { (bytes, self.headers) = (Array(text.utf8), headers) }
    }

    func bodies(_ endpoint: Endpoint) throws -> [Body] {
      let time = bench.now.milliseconds
      var list = [Body(""), Body("{"), Body(#"{"x": 1}"#), Body("[]", .init("content-encoding", "br"))]
      list.append(Body("no gzip", .init("content-encoding", "gzip")))
      switch endpoint {
      case .activate:
        for code in [codes["new"] ?? "", "nonsense"] { list.append(Body(#"{"code": "\#(code)"}"#)) }
      case .token, .erase:
        if endpoint == .erase { list.append(Body(#"{"reason": "case 9"}"#)) }
        for secret in secrets.values { list.append(Body(#"{"secret": "\#(secret)"}"#)) }
      case .consent: list.append(Body(#"{"version": "1", "purposes": ["record", "share"], "time": \#(time)}"#))
      case .positions, .publishedPositions:
        for k in 0..<2 {
          let rows = [try bench.location("phone-1", at: bench.now - .seconds(Int64(k)))]
          let text = endpoint == .positions ? PositionBatch.encode(rows) : IngestAPI.encodePositions(rows)
          list.append(Body(String(decoding: text, as: UTF8.self), .init("idempotency-key", "one-key")))
        }
        guard sendsLargeBodies else { break }
        let rows = String(repeating: #"{"x":1},"#, count: 10_001) + "{}"
        list.append(Body(endpoint == .positions ? #"{"rows":[\#(rows)]}"# : "[\(rows)]"))
      case .overland: list += [Body(#"{"locations": []}"#), Body(#"{"locations": [[null, null]]}"#)]
      case .ownTracks: list.append(Body(#"{"_type": "lwt"}"#))
      case .makeInvite:
        for venue in ["small-venue", "elsewhere"] { list.append(Body(#"{"venue": "\#(venue)"}"#)) }
      case .publishedInvite: list.append(Body(#"{"maxUses": 3}"#))
      case .publishedActivate: list.append(Body(#"{"code": "\#(codes["old"] ?? "")", "deviceType": "x"}"#))
      case .usePageCode: list += [Body(#"{"code": "\#(codes["page"] ?? "")"}"#), Body(#"{"code": "nonsense"}"#)]
      case .makePageCode: return [Body("")]
      case .deviceData: list += [Body(#"{"reason": "case 9"}"#), Body(#"{"reason": "case 9", "limit": 0}"#)]
      case .revoke, .reset: list.append(Body(#"{"reason": "case 9"}"#))
      case .makeCase:
        for members in [
          #""venue": "small-venue", "device": "phone-1", "label": "A""#,
          #""venue": "small-venue", "device": "phone-1""#,
          #""venue": "small-venue", "device": "nobody", "label": "A""#, #""venue": "nowhere", "device": "phone-1""#,
        ] { list.append(Body(#"{\#(members), "reason": "case 9"}"#)) }
      case .changeCase, .deleteCase, .caseExposures, .caseTree:
        list += [Body(#"{"reason": "case 9"}"#), Body(#"{"reason": "case 9", "x": 1}"#)]
      case .caseStatus:
        for device in ["phone-1", "nobody"] {
          list.append(Body(#"{"reason": "case 9", "device": "\#(device)", "status": "reached"}"#))
        }
      case .makeAlertRule:
        for members in [
          #""kind": "no-data", "name": "A""#, #""kind": "x", "name": "A""#,
          #""kind": "device-silent", "name": "A", "device": "nobody", "reason": "case 9""#,
        ] { list.append(Body(#"{"venue": "small-venue", \#(members)}"#)) }
      case .changeAlertRule: list += [Body(#"{"state": "off"}"#), Body(#"{"state": "x"}"#)]
      case .makeNotices: list.append(Body(#"{"reason": "case 9", "devices": ["phone-1", "nobody"]}"#))
      case .acknowledge: list += [Body(#"{"number": 1}"#), Body(#"{"number": 99}"#)]
      case .devices, .contacts, .exposures, .audit, .moment, .track:
        for members in [
          #""venue": "small-venue""#, #""venue": "small-venue", "device": "phone-1""#, #""device": "phone-1""#,
          #""venue": "small-venue", "device": "nobody""#, #""device": "nobody""#, #""venue": "nowhere""#,
          #""venue": "small-venue", "limit": 0"#,
        ] {
          list.append(Body(#"{\#(members), "reason": "case 9"}"#))
          list.append(Body(#"{\#(members)}"#))
        }
      default: return [Body("")]
      }
      return list
    }

    func queries(_ endpoint: Endpoint) -> [String] {
      switch endpoint {
      case .overland: return ["", "?device=phone-1", "?device=erased-1"]
      case _ where endpoint.rawValue.hasPrefix("GET "):
        return [
          "", "?venue=small-venue&reason=case%209", "?venue=small-venue&device=phone-1&reason=case%209",
          "?venue=small-venue&device=nobody&reason=case%209", "?venue=small-venue&reason=case%209&limit=0&bin_s=1",
          "?venue=nowhere&reason=case%209",
        ]
      default: return [""]
      }
    }

    /// Sends every kind of request to an address, one after the other.
    func statuses(_ endpoint: Endpoint) throws -> Set<Int> {
      let words = endpoint.rawValue.split(separator: " ").map(String.init)
      var targets = [words[1]]
      for (name, values) in names where words[1].contains("{\(name)}") {
        targets = values.map { words[1].replacingOccurrences(of: "{\(name)}", with: $0) }
      }
      var found: Set<Int> = []
      for target in targets {
        found.insert(bench.send("PATCH", target).status)
        for query in queries(endpoint) {
          for body in try bodies(endpoint) {
            for credentials in credentials {
              let more: [[IngestRequest.Header]] =
                [.packed, .bundle, .plan].contains(endpoint) ? [[], [.init("if-none-match", "*")]] : [[]]
              for headers in more {
                let answer = bench.ingest.handle(
                  IngestRequest(
                    words[0], target + query, headers: credentials + body.headers + headers, body: body.bytes,
                    peer: "test"), now: bench.now)
                found.insert(answer.status)
                try check(answer, endpoint)
              }
            }
          }
        }
      }
      return found
    }

    /// Every refusal is a problem document; the published API has its own form.
    private func check(_ answer: IngestResponse, _ endpoint: Endpoint) throws {
      guard answer.status >= 400, !endpoint.isPublished else { return }
      #expect(answer.header("content-type") == "application/problem+json", "\(endpoint.rawValue) \(answer.status)")
      #expect(try answer.object["status"] as? Int == answer.status)
    }
  }

  /// Sends every kind of request to every address, with every role, in good and bad states of the server. Every
  /// observed status is in the description, and every described status is observed.
  @Test(arguments: Endpoint.allCases.filter { $0 != .health })
  func exactlyTheDescribedStatusesOccur(_ endpoint: Endpoint) throws {
    let documented = try #require(try Self.documented()[endpoint.rawValue])
    var world = try World { _ in }
    world.sendsLargeBodies = true
    var reached = try world.statuses(endpoint)
    reached.formUnion(try World { $0.failuresPerMinute = 0 }.statuses(endpoint))
    reached.formUnion(
      try World {
        $0.rowsPerHour = 0
        $0.maximumInviteCodes = 0
      }.statuses(endpoint))
    reached.formUnion(try World { $0.published = nil }.statuses(endpoint))
    let broken = try World { _ in }
    try broken.bench.store.connection.script(
      "DROP TABLE device; DROP TABLE venue; DROP TABLE inviteCode; DROP TABLE audit")
    reached.formUnion(try broken.statuses(endpoint))
    let huge = IngestRequest(
      String(endpoint.rawValue.prefix { $0 != " " }), "/" + endpoint.rawValue.split(separator: "/", maxSplits: 1)[1],
      body: [UInt8](repeating: 0x20, count: 3 << 20))
    reached.insert(try Bench().ingest.handle(huge, now: Instant(milliseconds: 0)).status)
    // The shell refuses any request when too many wait.
    reached.insert(429)
    #expect(reached.subtracting(documented).sorted() == [], "\(endpoint.rawValue): answered, and not described")
    #expect(documented.subtracting(reached).sorted() == [], "\(endpoint.rawValue): described, and never answered")
  }
}
