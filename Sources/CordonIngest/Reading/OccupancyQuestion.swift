internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

/// How many devices were where.
struct OccupancyQuestion: Sendable {
  var venue: ServedVenue
  /// Milliseconds, whole bins.
  var span: ClosedRange<Int64>
  var bin: TimeSpan
  var bySpace: Bool
  /// Smaller counts are not told.
  var smallestCell: Int
  var settings: IngestSettings

  func answer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    guard let place = try store.venues().first(where: { $0.id == venue.id }) else { return write(nil) }
    let frame = LocalFrame(origin: place.origin)
    var points: [ContactStream.Point] = []
    for device in try store.devices(in: place.number, during: span) {
      points.append(
        contentsOf: try store.track(of: device, venue: place.number, in: span).map { contactPoint($0, frame: frame) })
    }
    let tracks = ObservedTracks(
      points.map(\.point), accuracies: points.map(\.accuracy), stillUntil: points.map(\.stillUntil),
      maximumGap: settings.contactGap)
    let segments = tracks.segments().compactMap { segment -> Segment? in segment.clipped(to: span) }
    let locator = bySpace ? venue.plan?.spaces : nil
    return write(Occupancy(of: segments, in: locator, bin: bin))
  }

  private func write(_ occupancy: Occupancy?) -> IngestResponse {
    var places: [JSONValue] = []
    for series in occupancy?.series ?? [] {
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
      var bins: [JSONValue] = []
      for (index, peak) in series.peaks.enumerated() where peak > 0 {
        let start = (series.firstBin + Int64(index)) * bin.milliseconds
        let isShown = Int(peak) >= smallestCell
        bins.append([
          "start": .integer(start), "peak_devices": isShown ? .integer(Int64(peak)) : .null,
          "mean_devices": isShown ? .number((series.means[index] * 100).rounded() / 100) : .null,
        ])
      }
      members.append(.init("bins", .array(bins)))
      places.append(.object(members))
    }
    return .json(
      200,
      [
        "venue": .string(venue.id.rawValue), "from": .integer(span.lowerBound), "to": .integer(span.upperBound),
        "bin_s": .number(bin.seconds), "smallest_count": JSONValue(smallestCell), "places": .array(places),
      ])
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
  func occupancyQuestion(_ request: IngestRequest, now: Instant) throws(Problem) -> Question {
    let id = try venueParameter(request)
    let (who, _) = try operatorLook(request, action: "occupancy", role: .viewer, device: nil, venue: id, now: now)
    guard let venue = intake.catalog[id] else {
      throw Problem(404, "no-such-venue", "this server does not serve that venue", field: "venue")
    }
    let to = try Parameters.instant(request, "to") ?? now
    let from = try Parameters.instant(request, "from") ?? to - .hours(1)
    guard from <= to, to.milliseconds - from.milliseconds <= TimeSpan.days(7).milliseconds else {
      throw Problem(400, "bad-parameter", "from: at most 7 days before to", field: "from")
    }
    let by = request.parameter("by") ?? "floor"
    guard ["floor", "space"].contains(by) else {
      throw Problem(400, "bad-parameter", "by: floor or space", field: "by")
    }
    let seconds = try Parameters.integer(request, "bin_s") ?? 300
    // Bins that can be chosen at will can be subtracted from one another: viewers have those of 5 minutes, on the clock.
    let isViewer = who.role == .viewer
    guard isViewer ? seconds == 300 : (60...86_400).contains(seconds) else {
      throw Problem(400, "bad-parameter", isViewer ? "bin_s: 300 for viewers" : "bin_s: 60 to 86400", field: "bin_s")
    }
    let bin = TimeSpan.seconds(seconds)
    let width = bin.milliseconds
    let start = from.milliseconds.multiple(below: width)
    let end = max((to.milliseconds + width - 1).multiple(below: width), start + width)
    return Question(
      .occupancy(
        OccupancyQuestion(
          venue: venue, span: start...end, bin: bin, bySpace: by == "space",
          smallestCell: isViewer ? settings.smallestCell : 0, settings: settings)))
  }
}
