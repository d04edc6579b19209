internal import CordonCore
import CordonSupport
internal import CordonWire

/// Exposure notices: made for the devices of a case, handed to each device, acknowledged by its person. They never state with
/// whom an exposure was, where, or at what time of the day.
extension Ingest {
  /// The templates of notices; apps have the text of each in their languages.
  static let noticeTemplates = ["exposure", "test", "quarantine", "all-clear"]
  /// The time for which a notice is shown, in days.
  static let noticeDays: ClosedRange<Int64> = 1...30

  /// `POST /v1/operator/cases/{number}/notices`: one notice for each named device; a device that was erased gets none, one whose
  /// exposure was a former holder's gets none, and one that has a notice of the case and day gets no other.
  func makeNotices(_ request: IngestRequest, number: String, now: Instant) throws(Problem) -> IngestResponse {
    let (parameters, devices) = try preprocessor.decode(request) { members throws(WireError) in
      try members.only(["reason", "template", "advice", "days", "exposed", "devices"])
      var parameters: [String: String] = [:]
      for name in ["reason", "template", "advice", "exposed"] {
        parameters[name] = try members.optionalText(name, atMost: 4_096)
      }
      parameters["days"] = try members.optionalNumber("days").map(String.init)
      return (parameters, try members.list("devices"))
    }
    var asked = request
    asked.members = parameters
    let template = asked.parameter("template") ?? "exposure"
    guard Self.noticeTemplates.contains(template) else {
      throw Problem(
        400, .badParameter, "template: \(Self.noticeTemplates.joined(separator: ", "))", field: "template")
    }
    let advice = asked.parameter("advice") ?? ""
    guard advice.count <= 1_000 else {
      throw Problem(400, .badParameter, "advice: at most 1000 characters", field: "advice")
    }
    let days = try Parameters.integer(asked, "days") ?? 14
    guard Self.noticeDays.contains(days) else { throw Problem(400, .badParameter, "days: 1 to 30", field: "days") }
    let exposed = try Parameters.instant(asked, "exposed")
    let (record, who) = try look(asked, number, action: "notices of case", now: now)
    var made = 0
    for name in devices {
      guard let id = DeviceID(name), let device = try stored({ () throws(StoreFault) in try store.device(id) }),
        device.venue == record.venue
      else { continue }
      let day = TimeSpan.days(1).milliseconds
      let time = exposed ?? record.to
      let since = device.heldSince ?? .epoch
      let notice = CaseNotice(
        caseNumber: record.number, device: id, exposed: Instant(milliseconds: time.milliseconds.multiple(below: day)),
        template: template, advice: advice, created: now, expires: now + .days(days), holder: since)
      let entry = CaseContact(device: id, status: .notified, note: "", changed: now, operator: who.id, holder: since)
      try stored { () throws(StoreFault) in
        guard try isOfPresentHolder(record, device, at: exposed) else { return }
        let known = try cases.contacts(of: record.number).last { device.isHeld(since: $0, true) }
        let sent = try cases.notices(of: record.number)
        made += 1
        if !sent.contains(where: { $0.device == id && $0.exposed == notice.exposed && $0.holder >= since }) {
          _ = try cases.save(notice)
        }
        if known == nil || known?.status == .open {
          var entry = entry
          entry.note = known?.note ?? ""
          entry.holder = known?.holder ?? since
          try cases.save(entry, of: record.number)
        }
      }
    }
    return .json(201, ["made": JSONValue(made)])
  }

  /// `GET /v1/devices/{device}/notices`: what the device has to show. Handing it out is noted as its delivery.
  func deviceNotices(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> IngestResponse {
    let device = try authorized(request, id: id, now: now)
    let since = device.heldSince ?? .epoch
    let notices = try stored { () throws(StoreFault) in
      try cases.notices(to: device.id, now: now).filter { $0.holder >= since }
    }
    for var notice in notices where notice.delivered == nil {
      notice.delivered = now
      let entry = notice
      _ = try stored { () throws(StoreFault) in try cases.save(entry) }
    }
    let list = DeviceNotices(
      notices.map { notice in
        DeviceNotices.Entry(
          number: notice.number, template: notice.template, day: String(notice.exposed.rfc3339.prefix(10)),
          advice: notice.advice, created: notice.created, expires: notice.expires, acknowledged: notice.acknowledged)
      })
    var response = IngestResponse.json(200, list.json)
    response.secretHash = device.secretHash
    return response
  }

  /// `POST /v1/devices/{device}/notices`: the person acknowledges a notice.
  func acknowledge(_ request: IngestRequest, id: String, now: Instant) throws(Problem) -> IngestResponse {
    let device = try authorized(request, id: id, now: now)
    let number = try preprocessor.decode(request) { members throws(WireError) in
      try members.only(["number"])
      return try members.optionalNumber("number", in: 1...Int64.max)
    }
    let found = try stored { () throws(StoreFault) in
      try cases.notices(to: device.id, now: now).first { $0.number == number }
    }
    guard var notice = found, notice.holder >= device.heldSince ?? .epoch else {
      throw Problem(404, .noSuchNotice, "no such notice", field: "number")
    }
    notice.delivered = notice.delivered ?? now
    notice.acknowledged = notice.acknowledged ?? now
    let entry = notice
    _ = try stored { () throws(StoreFault) in try cases.save(entry) }
    var response = IngestResponse(204)
    response.secretHash = device.secretHash
    return response
  }
}
