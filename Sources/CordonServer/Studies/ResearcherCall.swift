internal import CordonCore
internal import CordonIngest
internal import CordonStudies
internal import CordonSupport

/// A request of a researcher: an operator of all venues.
struct ResearcherCall {
  let desk: StudyDesk
  let writer: GroupCommitWriter
  let who: String
  let isAdministrator: Bool
  /// The values of the parts of the address in braces.
  let parts: [String]
  let body: [UInt8]
  let query: IngestRequest

  func answer(_ route: StudyRoute) async throws(Problem) -> IngestResponse {
    let (who, body) = (who, body)
    switch route {
    case .studies:
      return .json(
        200,
        try await desk.run { service, _ throws(StudyError) in
          var list: [JSONValue] = []
          for study in try service.store.studies() {
            let participants = try service.store.participants(of: study.code)
            list.append([
              "study": study.json, "participants": .integer(Int64(participants.count)),
              "present": .integer(Int64(participants.count { $0.left == nil })),
            ])
          }
          return ["schema": "cordon.studies/1", "studies": .array(list)]
        })
    case .save:
      return .json(
        200,
        try await desk.run { service, now throws(StudyError) in
          let study = try Study(body)
          try service.save(study, by: who, now: now)
          return study.json
        })
    default: break
    }
    guard let code = parts.first.flatMap({ StudyCode($0) }) else {
      throw Problem(404, .noSuchStudy, "no such study", field: "study")
    }
    return try await answer(route, code)
  }

  private func answer(_ route: StudyRoute, _ code: StudyCode) async throws(Problem) -> IngestResponse {
    let (who, body, last) = (who, body, parts.last ?? "")
    switch route {
    case .study: return .json(200, try await desk.run { service, _ throws(StudyError) in try service.study(code).json })
    case .participants:
      return .json(200, try await desk.run { service, _ throws(StudyError) in try service.participants(of: code) })
    case .ledger:
      return .json(200, try await desk.run { service, _ throws(StudyError) in try service.ledger(of: code) })
    case .invite:
      return .json(
        201,
        try await desk.run { service, now throws(StudyError) in
          let fields = try StudyFields(body: body)
          try fields.only(["uses", "days"])
          let secret = try service.invite(
            to: code, uses: Int(try fields.optionalInteger("uses", 1...10_000) ?? 1),
            lasting: .days(try fields.optionalInteger("days", 1...365) ?? 30), by: who, now: now)
          return ["invitation": .string(secret), "link": .string("/console/participate?study=\(code)#\(secret)")]
        })
    case .quality:
      let report = try await desk.run { service, now throws(StudyError) in try service.quality(of: code, now: now) }
      return query.parameter("format") == "csv" ? Self.csv(report.csv, "\(code)-quality") : .json(200, report.json)
    case .visits:
      let text = try await desk.run { service, now throws(StudyError) in
        let places = try PointOfInterest.list(StudyFields(body: body))
        try service.store.add(
          StudyAudit(time: now, study: code.rawValue, actor: who, action: "visits to \(places.count) places"))
        return try service.visits(of: code, to: places, now: now).csv
      }
      return Self.csv(text, "\(code)-visits")
    case .export:
      guard let table = StudyService.ExportTable(rawValue: last) else {
        throw Problem(404, .noSuchAddress, "there is no such table")
      }
      let text = try await desk.run { service, now throws(StudyError) in
        let fields = try StudyFields(body: body)
        try fields.only(["reason"])
        return try service.export(table, of: code, by: who, reason: fields.text("reason", 3...500), now: now)
      }
      return Self.csv(text, "\(code)-\(table.rawValue)")
    case .decide:
      try checkAdministrator()
      guard let number = Int64(last) else { throw Problem(404, .noSuchAddress, "there is no such payout") }
      try await desk.run { service, now throws(StudyError) in
        let fields = try StudyFields(body: body)
        try fields.only(["approve"])
        guard let isApproved = try fields.optionalFlag("approve") else {
          throw StudyError(.badField, "true or false", field: "approve")
        }
        try service.decide(number, of: code, isApproved: isApproved, by: who, now: now)
      }
      return IngestResponse(204)
    case .eraseParticipant:
      try checkAdministrator()
      // Only a participant of this study: what is noted here is left out of every restore.
      let participant = try await desk.run { service, _ throws(StudyError) in
        guard let id = ParticipantID(last), let participant = try service.store.participant(id),
          participant.study == code
        else { throw StudyError(.noSuchParticipant, "no such participant") }
        return participant
      }
      // First, so that no restore brings the participant back.
      try await writer.noteEnd(of: KnownEndings.name(ofErased: participant.id.rawValue))
      try await desk.run { service, now throws(StudyError) in
        try service.erase(participant, by: who, now: now)
      }
      return IngestResponse(204)
    case .audit:
      return .json(
        200,
        try await desk.run { service, _ throws(StudyError) in
          let entries = try service.store.audit(of: code, limit: 500)
          return [
            "entries": .array(
              entries.map { entry in
                [
                  "number": .integer(entry.number), "time": .integer(entry.time.milliseconds),
                  "actor": .string(entry.actor), "action": .string(entry.action), "reason": .string(entry.reason),
                ]
              })
          ]
        })
    default: throw Problem(404, .noSuchAddress, "there is nothing at this address")
    }
  }

  private func checkAdministrator() throws(Problem) {
    guard isAdministrator else { throw Problem(403, .role, "this needs the role admin at all venues") }
  }

  private static func csv(_ text: String, _ name: String) -> IngestResponse {
    IngestResponse(
      200,
      headers: [
        .init("content-type", "text/csv; charset=utf-8"), .init("cache-control", "no-store"),
        .init("content-disposition", "attachment; filename=\"\(name).csv\""),
      ], body: Array(text.utf8))
  }
}
