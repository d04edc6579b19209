internal import CordonCore
import CordonSupport
internal import CordonWire

extension Ingest {
  /// The time between two looks at the rules.
  static let alertStep = TimeSpan.seconds(15)
  /// The rules of a venue.
  static let maximumRules = 200

  /// Looks at the rules when that is due.
  func watchAlerts(now: Instant) throws(StoreFault) {
    guard now >= nextAlerts || nextAlerts - now > .minutes(1) else { return }
    nextAlerts = now + Self.alertStep
    let rules = try alerts.rules().filter(\.isOn)
    guard !rules.isEmpty else { return }
    let open = try alerts.openAlerts()
    var present: [VenueID: [MomentQuery.Present]] = [:]
    for rule in rules {
      guard let venue = preprocessor.catalog[rule.venue] else { continue }
      if present[rule.venue] == nil {
        present[rule.venue] = try MomentQuery(
          venue: venue, time: now.milliseconds, isNamed: false, salt: dotSalt, settings: settings
        ).devices(from: store)
      }
      let sight = try sight(of: rule, venue, present[rule.venue] ?? [], now: now)
      switch alertWatch.look(rule, sight, open: open.first { $0.rule == rule.number }, now: now) {
      case .raise(let alert): _ = try alerts.save(alert)
      case .update(let alert): _ = try alerts.save(alert)
      case nil: break
      }
    }
  }

  private func sight(
    of rule: AlertRule, _ venue: ServedVenue, _ present: [MomentQuery.Present], now: Instant
  ) throws(StoreFault) -> AlertWatch.Sight {
    switch rule.kind {
    case .overCapacity:
      var fullest = AlertWatch.Sight(holds: false, value: 0)
      for (space, count) in try counts(present) {
        guard rule.space == nil || rule.space == space, let capacity = venue.document?.capacities[space], capacity > 0
        else { continue }
        let share = Int64(count * 100 / capacity)
        if share > fullest.value {
          fullest = AlertWatch.Sight(holds: share > rule.threshold, value: share, space: space)
        }
      }
      return fullest
    case .moreThan:
      var count = present.count
      if let space = rule.space {
        count = try counts(present).first { $0.space == space }?.count ?? 0
      } else if let floor = rule.floor {
        count = present.count { $0.floor == floor }
      }
      return AlertWatch.Sight(holds: count > rule.threshold, value: Int64(count), space: rule.space)
    case .noData: return AlertWatch.Sight(holds: present.isEmpty, value: 0)
    case .deviceSilent:
      guard let id = rule.device, let device = try store.device(id) else {
        return AlertWatch.Sight(holds: false, value: 0)
      }
      return AlertWatch.Sight(holds: !present.contains { $0.device == device.number }, value: 0)
    case .retentionLate:
      let late = (now - (metrics.lastRetention ?? now)).milliseconds / 1_000
      return AlertWatch.Sight(holds: late > 3_600, value: late)
    }
  }

  private func counts(_ present: [MomentQuery.Present]) throws(StoreFault) -> [(space: SpaceID, count: Int)] {
    var counts: [Int64: Int] = [:]
    for device in present { if let space = device.space { counts[space, default: 0] += 1 } }
    var list: [(space: SpaceID, count: Int)] = []
    for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
      if let space = try store.space(number) { list.append((space, count)) }
    }
    return list
  }

  /// Turns off the rules about the holder of a device who gives it away, and ends their alerts: they do not watch the next one.
  func endAlertRules(of device: DeviceID, now: Instant) throws(StoreFault) {
    for var rule in try alerts.rules() where rule.device == device {
      rule.isOn = false
      rule.holder = rule.holder ?? .epoch
      _ = try alerts.save(rule)
      for var alert in try alerts.openAlerts() where alert.rule == rule.number {
        alert.ended = now
        _ = try alerts.save(alert)
      }
    }
  }

  // MARK: Requests

  /// `GET /v1/operator/alerts?venue=…`
  func alertList(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let venue = try venueParameter(request)
    _ = try operatorLook(request, action: "alerts", role: .contactTracer, device: nil, venue: venue, now: now)
    var rules: [JSONValue] = []
    for rule in try stored({ () throws(StoreFault) in try alerts.rules() }) where rule.venue == venue {
      let history = try stored { () throws(StoreFault) in try alerts.alerts(of: rule.number, limit: 100) }
      rules.append(.object(rule.members + [.init("alerts", .array(history.map(\.json)))]))
    }
    return .json(200, ["rules": .array(rules)])
  }

  /// `POST /v1/operator/alerts`
  func makeAlertRule(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let request = try body(
      of: request, ["venue", "kind", "name", "space", "floor", "device", "threshold", "lasting_s", "reason"])
    let venue = try venueParameter(request)
    guard let kind = request.parameter("kind").flatMap(AlertRule.Kind.init(rawValue:)) else {
      let known = AlertRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(400, .badParameter, "kind: \(known)", field: "kind")
    }
    let name = request.parameter("device").flatMap { $0.isEmpty ? nil : $0 }
    guard (kind == .deviceSilent) == (name != nil) else {
      throw Problem(400, .badParameter, "device: needed for device-silent, and for no other kind", field: "device")
    }
    let (_, device) = try operatorLook(
      request, action: "make alert rule", role: .operator, device: name, venue: venue, now: now)
    if name != nil, device?.venue != venue { throw Problem(404, .noSuchDevice, "no such device", field: "device") }
    let count = try stored { () throws(StoreFault) in try alerts.rules().count { $0.venue == venue } }
    guard count < Self.maximumRules else {
      throw Problem(409, .tooManyRules, "the venue has \(count) rules; delete some")
    }
    var floor: FloorOrdinal?
    if let text = request.parameter("floor"), !text.isEmpty {
      guard let value = Double(text), value.isFinite, abs(value) <= 1_000 else {
        throw Problem(400, .badParameter, "floor: a number is needed", field: "floor")
      }
      floor = FloorOrdinal(thousandths: Int32((value * 1_000).rounded()))
    }
    var rule = AlertRule(
      venue: venue, kind: kind, name: request.parameter("name") ?? "",
      space: request.parameter("space").flatMap { SpaceID($0) },
      floor: floor, device: device?.id, threshold: try Parameters.integer(request, "threshold") ?? 100,
      lasting: try Parameters.integer(request, "lasting_s") ?? 60, isOn: true,
      holder: device.map { $0.heldSince ?? .epoch }, created: now)
    guard (1...80).contains(rule.name.count) else {
      throw Problem(400, .badParameter, "name: 1 to 80 characters", field: "name")
    }
    guard (0...100_000).contains(rule.threshold) else {
      throw Problem(400, .badParameter, "threshold: 0 to 100000", field: "threshold")
    }
    guard (0...86_400).contains(rule.lasting) else {
      throw Problem(400, .badParameter, "lasting_s: 0 to 86400", field: "lasting_s")
    }
    let new = rule
    rule.number = try stored { () throws(StoreFault) in try alerts.save(new) }
    nextAlerts = now
    return .json(201, .object(rule.members))
  }

  /// `PUT /v1/operator/alerts/{number}`: turns a rule on or off, or acknowledges its alert.
  func changeAlertRule(_ request: IngestRequest, number: String, now: Instant) throws(Problem) -> IngestResponse {
    let request = try body(of: request, ["state", "acknowledge"])
    let (known, who) = try self.rule(request, number, action: "change alert rule", now: now)
    var rule = known
    switch request.parameter("state") {
    case nil, "": break
    case "on":
      if let id = rule.device, let holder = rule.holder {
        let since = try stored { () throws(StoreFault) in try store.device(id)?.heldSince }
        guard holder >= since ?? .epoch else {
          throw Problem(409, .formerHolder, "the device has another holder now; make a rule for them", field: "state")
        }
      }
      rule.isOn = true
    case "off": rule.isOn = false
    default: throw Problem(400, .badParameter, "state: on or off", field: "state")
    }
    let changed = rule
    let asked = try Parameters.integer(request, "acknowledge")
    try stored { () throws(StoreFault) in
      _ = try alerts.save(changed)
      guard let asked,
        var alert = try alerts.alerts(of: changed.number, limit: 100).first(where: { $0.number == asked })
      else { return }
      alert.acknowledged = alert.acknowledged ?? who.id
      _ = try alerts.save(alert)
    }
    return IngestResponse(204)
  }

  /// `DELETE /v1/operator/alerts/{number}`
  func deleteAlertRule(_ request: IngestRequest, number: String, now: Instant) throws(Problem) -> IngestResponse {
    let (known, _) = try rule(request, number, action: "delete alert rule", now: now)
    try stored { () throws(StoreFault) in try alerts.remove(rule: known.number) }
    return IngestResponse(204)
  }

  private func rule(
    _ request: IngestRequest, _ number: String, action: String, now: Instant
  ) throws(Problem) -> (AlertRule, Operator) {
    guard let number = Int64(number), number > 0 else {
      throw Problem(400, .badParameter, "a rule is named by its number", field: "number")
    }
    let who = try authenticated(request, now: now)
    guard who.has(.operator) else { throw Problem(403, .role, "this needs the role operator") }
    let found = try stored { () throws(StoreFault) in try alerts.rules().first { $0.number == number } }
    guard let found, who.has(.operator, at: found.venue) else {
      throw Problem(404, .noSuchRule, "no such rule", field: "number")
    }
    _ = try operatorLook(request, action: action, role: .operator, device: nil, venue: found.venue, now: now)
    return (found, who)
  }
}

extension AlertRule {
  /// For operators.
  var members: [JSONValue.Member] {
    [
      .init("number", .integer(number)), .init("venue", .string(venue.rawValue)), .init("kind", .string(kind.rawValue)),
      .init("name", .string(name)), .init("space", JSONValue(space?.rawValue)), .init("floor", JSONValue(floor?.value)),
      .init("names_device", .bool(device != nil)), .init("threshold", .integer(threshold)),
      .init("lasting_s", .integer(lasting)), .init("is_on", .bool(isOn)),
    ]
  }
}

extension Alert {
  /// For operators.
  var json: JSONValue {
    [
      "number": .integer(number), "began": .integer(began.milliseconds), "raised": .integer(raised.milliseconds),
      "ended": ended.map { .integer($0.milliseconds) } ?? .null, "peak": .integer(peak),
      "space": JSONValue(space?.rawValue),
      "acknowledged": JSONValue(acknowledged), "delivery": .string(delivery),
      "sent": sentJSON,
    ]
  }
}
