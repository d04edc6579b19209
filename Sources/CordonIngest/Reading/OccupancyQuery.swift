internal import CordonContacts
internal import CordonCore
internal import CordonGeometry
import CordonSupport

/// How many devices were where, for those who may know it exactly; viewers have a ``ViewerCountQuery``.
struct OccupancyQuery: Sendable {
  var venue: ServedVenue
  /// Milliseconds, whole bins.
  var span: ClosedRange<Int64>
  var bin: TimeSpan
  var bySpace: Bool
  var settings: IngestSettings

  /// Why the answer would be too long, if it would be.
  var sizeProblem: Problem? {
    let bins = (span.upperBound - span.lowerBound) / max(bin.milliseconds, 1)
    let places = bySpace ? Int64(venue.plan?.identifiers.count ?? 0) : 1
    guard bins * places > Int64(OccupancyRun.maximumBins) else { return nil }
    return Problem(
      413, .tooMuch,
      "\(bins) bins of \(places) spaces are more than the \(OccupancyRun.maximumBins) that are answered; "
        + "ask for wider bins or a shorter span", field: "bin_s")
  }

  /// The answer from what was counted.
  func write(_ occupancy: Occupancy?) -> IngestResponse {
    let head: JSONValue = [
      "venue": .string(venue.id.rawValue), "from": .integer(span.lowerBound), "to": .integer(span.upperBound),
      "bin_s": .number(bin.seconds), "smallest_count": 0,
    ]
    // As text place by place: the tree of a long answer takes ten times the room.
    var text = Array(head.text().utf8.dropLast()) + Array(#","places":["#.utf8)
    var isFirst = true
    for series in occupancy?.series ?? [] {
      let bins = bins(of: series)
      var members: [JSONValue.Member] = []
      switch series.place {
      case .floor(let floor):
        if bySpace { continue }
        members.append(
          .init(
            "floor",
            floor == Segment.unknownFloor ? .null : .number(FloorOrdinal(thousandths: floor).value)))
      case .space(let index):
        guard bySpace, let plan = venue.plan, plan.identifiers.indices.contains(index) else { continue }
        members.append(.init("space", .string(plan.identifiers[index].rawValue)))
        members.append(.init("floor", .number(plan.floors[index].value)))
      }
      members.append(.init("bins", .array(bins)))
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      text += Array(JSONValue.object(members).text().utf8)
    }
    return .json(200, bytes: text + Array("]}".utf8))
  }

  private func bins(of series: Occupancy.Series) -> [JSONValue] {
    series.bins.map { counted in
      [
        "start": .integer(counted.number * bin.milliseconds),
        "peak_devices": .integer(Int64(counted.peak)),
        "mean_devices": .number((counted.mean * 100).rounded() / 100),
      ]
    }
  }
}

extension Segment {
  /// The part of it in a span of time.
  func clipped(to span: ClosedRange<Int64>) -> Segment? {
    let (from, to) = (max(start, span.lowerBound), min(end, span.upperBound))
    guard from < to else { return nil }
    let length = Double(end - start)
    let (a, b) = (Double(from - start) / length, Double(to - start) / length)
    return Segment(
      device: device, floor: floor, start: from, end: to, x0: x0 + (x1 - x0) * a, y0: y0 + (y1 - y0) * a,
      x1: x0 + (x1 - x0) * b, y1: y0 + (y1 - y0) * b)
  }
}

extension Ingest {
  /// `GET /v1/operator/occupancy`
  func occupancyQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let id = try venueParameter(request)
    let (who, _) = try operatorLook(request, action: "occupancy", role: .viewer, device: nil, venue: id, now: now)
    guard let venue = preprocessor.catalog[id] else {
      throw Problem(404, .noSuchVenue, "this server does not serve that venue", field: "venue")
    }
    let isViewer = (who.role(at: id) ?? .viewer) < .contactTracer
    let to = try Parameters.instant(request, "to") ?? now
    let from = try Parameters.instant(request, "from") ?? to - .hours(isViewer ? 4 : 1)
    guard from <= to, to.milliseconds - from.milliseconds <= TimeSpan.days(7).milliseconds else {
      throw Problem(400, .badParameter, "from: at most 7 days before to", field: "from")
    }
    let by = request.parameter("by") ?? "floor"
    guard ["floor", "space"].contains(by) else {
      throw Problem(400, .badParameter, "by: floor or space", field: "by")
    }
    let seconds = try Parameters.integer(request, "bin_s") ?? (isViewer ? Int64(Ingest.viewerBin.seconds) : 300)
    if isViewer {
      // Bins that can be chosen at will can be subtracted from one another: viewers have one width, on the clock.
      guard seconds == Int64(Ingest.viewerBin.seconds) else {
        throw Problem(
          400, .badParameter, "bin_s: \(Int64(Ingest.viewerBin.seconds)) for viewers", field: "bin_s")
      }
      let width = Ingest.viewerBin.milliseconds
      let start = from.milliseconds.multiple(below: width)
      return Query(
        .viewerCounts(
          ViewerCountQuery(
            venue: venue, span: start..<max((to.milliseconds + width - 1).multiple(below: width), start + width),
            bySpace: by == "space", smallestCell: settings.smallestCell)),
        by: .operator(who.id), settings: settings)
    }
    guard (60...86_400).contains(seconds) else {
      throw Problem(400, .badParameter, "bin_s: 60 to 86400", field: "bin_s")
    }
    let bin = TimeSpan.seconds(seconds)
    let width = bin.milliseconds
    let start = from.milliseconds.multiple(below: width)
    let end = max((to.milliseconds + width - 1).multiple(below: width), start + width)
    return Query(
      .occupancy(
        OccupancyQuery(
          venue: venue, span: start...end, bin: bin, bySpace: by == "space", settings: settings)),
      by: .operator(who.id), settings: settings)
  }
}
