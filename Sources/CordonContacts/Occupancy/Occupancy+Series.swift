extension Occupancy.Series {
  /// Counts the devices of one place. Presences come by device and time.
  init(place: Occupancy.Place, presences: [Presence], bin: Int64, visitGap: Int64) {
    self.place = place
    // A device that leaves at an instant is not counted together with one that arrives at that instant.
    var events: [(time: Int64, change: Int32)] = []
    events.reserveCapacity(presences.count * 2)
    for presence in presences {
      events.append((presence.start, 1))
      events.append((presence.end, -1))
    }
    events.sort { ($0.time, $0.change) < ($1.time, $1.change) }
    var bins = Occupancy.Bins(width: bin)
    var present: Int32 = 0
    var (highest, highestTime): (Int32, Int64) = (0, events.first?.time ?? 0)
    var (deviceTime, pairTime): (Int64, Int64) = (0, 0)
    for k in events.indices {
      present += events[k].change
      let start = events[k].time
      let end = k + 1 < events.count ? events[k + 1].time : start
      guard end > start else { continue }
      if present > highest { (highest, highestTime) = (present, start) }
      deviceTime += Int64(present) * (end - start)
      pairTime += Int64(present) * Int64(present - 1) / 2 * (end - start)
      if present > 0 { bins.append(.init(start: start, end: end, present: present)) }
    }
    self.bins = bins
    peak = highest
    peakTime = highestTime
    deviceMilliseconds = deviceTime
    pairMilliseconds = pairTime
    dwell = Occupancy.Dwell(presences, visitGap: visitGap)
  }
}

extension Occupancy.Dwell {
  init(_ presences: [Presence], visitGap: Int64) {
    var visits: [Presence] = []
    var devices = 0
    for presence in presences {
      if let last = visits.last, last.device == presence.device,
        presence.start - last.end <= visitGap
      {
        visits[visits.count - 1].end = max(last.end, presence.end)
      } else {
        if visits.last?.device != presence.device { devices += 1 }
        visits.append(presence)
      }
    }
    let lengths = visits.map { Double($0.end - $0.start) / 1_000 }.sorted()
    self.devices = devices
    self.visits = visits.count
    mean = lengths.isEmpty ? 0 : lengths.reduce(0, +) / Double(lengths.count)
    median = Occupancy.Dwell.quantile(lengths, 0.5)
    p90 = Occupancy.Dwell.quantile(lengths, 0.9)
    longest = lengths.last ?? 0
  }

  /// The least value that at least this share of the sorted values does not exceed.
  private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    guard !sorted.isEmpty else { return 0 }
    let rank = Int((share * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank - 1, 0), sorted.count - 1)]
  }
}
