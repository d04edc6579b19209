internal import CordonCore

/// The meetings of each device, for following them.
struct MeetingGraph {
  private struct Meeting {
    var other: Int32
    var start: Int64
    var end: Int64
    var distance: Double
    var isIndirect: Bool
    /// Indirect meetings pass something on one way only.
    var isOutgoing: Bool
  }

  private var meetings: [Int32: [Meeting]] = [:]

  init(_ contacts: [Contact], indirect: [IndirectContact]) {
    for c in contacts {
      meetings[c.first, default: []].append(
        Meeting(
          other: c.second, start: c.start, end: c.end, distance: c.minimumDistance,
          isIndirect: false,
          isOutgoing: true))
      meetings[c.second, default: []].append(
        Meeting(
          other: c.first, start: c.start, end: c.end, distance: c.minimumDistance,
          isIndirect: false,
          isOutgoing: true))
    }
    for c in indirect {
      let (start, end) = (c.start * 1_000, c.end * 1_000)
      meetings[c.source, default: []].append(
        Meeting(
          other: c.target, start: start, end: end, distance: .nan, isIndirect: true,
          isOutgoing: true))
      meetings[c.target, default: []].append(
        Meeting(
          other: c.source, start: start, end: end, distance: .nan, isIndirect: true,
          isOutgoing: false))
    }
    for device in meetings.keys {
      // Those in person first: an indirect meeting between two of them parts no step.
      meetings[device]?.sort {
        ($0.other, $0.isIndirect ? 1 : 0, $0.start) < ($1.other, $1.isIndirect ? 1 : 0, $1.start)
      }
    }
  }

  /// The span in which contacts of a node count, microseconds.
  private func span(of node: Backtrace.Node, _ options: Backtrace.Options) -> ClosedRange<Int64> {
    switch options.direction {
    case .forward:
      let before = node.generation == 0 ? options.infectiousBefore.milliseconds : 0
      return saturating(
        node.time, minus: before)...saturating(
          node.time, plus: options.infectiousAfter.milliseconds)
    case .backward:
      return saturating(node.time, minus: options.incubation.milliseconds)...node.time
    }
  }

  private func saturating(_ time: Int64, minus milliseconds: Int64) -> Int64 {
    max(time - min(max(milliseconds, 0), 1 << 42) * 1_000, Int64.min / 2)
  }

  private func saturating(_ time: Int64, plus milliseconds: Int64) -> Int64 {
    min(time + min(max(milliseconds, 0), 1 << 42) * 1_000, Int64.max / 2)
  }

  /// The steps from a node to everybody it met enough, by device: one for all meetings in person, then one for all indirect
  /// ones.
  func edges(from node: Backtrace.Node, generation: Int, options: Backtrace.Options) -> [Backtrace
    .Edge]
  {
    let span = span(of: node, options)
    var edges: [Backtrace.Edge] = []
    for meeting in meetings[node.device] ?? [] {
      if meeting.isIndirect, meeting.isOutgoing != (options.direction == .forward) { continue }
      let (start, end) = (max(meeting.start, span.lowerBound), min(meeting.end, span.upperBound))
      guard start <= end else { continue }
      if let last = edges.last, last.target == meeting.other, last.isIndirect == meeting.isIndirect {
        edges[edges.count - 1].end = max(last.end, end)
        edges[edges.count - 1].total += end - start
        edges[edges.count - 1].contacts += 1
        edges[edges.count - 1].minimumDistance = min(last.minimumDistance, meeting.distance)
      } else {
        edges.append(
          Backtrace.Edge(
            source: node.device, target: meeting.other, generation: generation, start: start,
            end: end,
            total: end - start, contacts: 1, minimumDistance: meeting.distance,
            isIndirect: meeting.isIndirect))
      }
    }
    let enough = options.minimumContact.milliseconds * 1_000
    return edges.filter { $0.isIndirect || $0.total >= enough }
  }

  /// Forwards: when the contact time of an edge reached the required one. Backwards: when its last contact ended.
  func time(of edge: Backtrace.Edge, from node: Backtrace.Node, options: Backtrace.Options) -> Int64 {
    guard options.direction == .forward else { return edge.end }
    let enough = options.minimumContact.milliseconds * 1_000
    guard enough > 0, !edge.isIndirect else { return edge.start }
    let span = span(of: node, options)
    var total: Int64 = 0
    for meeting in meetings[node.device] ?? []
    where meeting.other == edge.target && !meeting.isIndirect {
      let (start, end) = (max(meeting.start, span.lowerBound), min(meeting.end, span.upperBound))
      guard start <= end else { continue }
      if total + end - start >= enough { return start + enough - total }
      total += end - start
    }
    return edge.end
  }
}
