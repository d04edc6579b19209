public import CordonCore

extension MemoryStore {
  /// See ``Store/insert(_:sinks:)``.
  public func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    guard let place = shelves[location.device]?.place(of: location.id) else {
      throw StoreError(.failed, "insert: device \(location.device) was never saved")
    }
    if place.isThere { return false }
    let row = Row(location: location, deliveries: sinks.members.map { Way(sink: $0) })
    shelves[location.device]?.rows.insert(row, at: place.index)
    note(.inserted(location.device, location.id))
    return true
  }

  /// See ``Store/extend(_:sinks:)``.
  public func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    if try insert(location, sinks: sinks) { return true }
    guard let place = shelves[location.device]?.place(of: location.id),
      let row = shelves[location.device]?.rows[place.index]
    else { return false }
    note(.changed(location.device, row))
    if (location.stillUntil ?? .epoch) > (row.location.stillUntil ?? row.location.time) {
      shelves[location.device]?.rows[place.index].location.stillUntil = location.stillUntil
    }
    return false
  }

  /// See ``Store/lease(_:sink:venue:limit:now:until:)``.
  public func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location] {
    var taken: [Location] = []
    guard limit > 0, let count = shelves[device]?.rows.count else { return taken }
    for index in 0..<count {
      guard let row = shelves[device]?.rows[index], venue.map({ $0 == row.location.venue }) ?? true,
        let which = row.deliveries.firstIndex(where: { $0.sink == sink }),
        row.deliveries[which].maySend(now: now, until: until)
      else { continue }
      note(.changed(device, row))
      shelves[device]?.rows[index].deliveries[which].status = .leased
      shelves[device]?.rows[index].deliveries[which].leaseEnd = until
      shelves[device]?.rows[index].deliveries[which].attempts += 1
      taken.append(row.location)
      if taken.count == limit { break }
    }
    return taken
  }

  /// See ``Store/settle(_:sink:rows:required:)``.
  public func settle(
    _ device: DeviceID, sink: SinkID, rows settlements: [Settlement], required: SinkSet
  ) throws(StoreError) -> SettlementCounts {
    var counts = SettlementCounts()
    var removed = Set<Int>()
    for settlement in settlements {
      guard let place = shelves[device]?.place(of: settlement.id), place.isThere,
        let row = shelves[device]?.rows[place.index],
        let which = row.deliveries.firstIndex(where: { $0.sink == sink && $0.status != .quarantined })
      else { continue }
      note(.changed(device, row))
      var deliveries = row.deliveries
      switch settlement.outcome {
      case .kept:
        deliveries[which].status = .pending
        counts.kept += 1
      case .acknowledged where row.location.stillUntil != settlement.stillUntil:
        deliveries[which] = Way(sink: sink)
        counts.acknowledged += 1
      case .acknowledged:
        deliveries.remove(at: which)
        counts.acknowledged += 1
      case .refused:
        if required.contains(sink) {
          if !row.isQuarantined { counts.quarantined += 1 }
          deliveries[which].status = .quarantined
        } else {
          deliveries.remove(at: which)
          counts.acknowledged += 1
        }
      }
      shelves[device]?.rows[place.index].deliveries = deliveries
      if !deliveries.contains(where: { required.contains($0.sink) }) {
        removed.insert(place.index)
        counts.removed += 1
      }
    }
    drop(removed, of: device)
    return counts
  }

  private func drop(_ indices: Set<Int>, of device: DeviceID) {
    guard !indices.isEmpty, let rows = shelves[device]?.rows else { return }
    var rest: [Row] = []
    rest.reserveCapacity(rows.count - indices.count)
    for (index, row) in rows.enumerated() {
      if indices.contains(index) { note(.removed(device, row)) } else { rest.append(row) }
    }
    shelves[device]?.rows = rest
  }

  /// See ``Store/queue(of:sink:venue:now:)``.
  public func queue(
    of device: DeviceID, sink: SinkID, venue: VenueID?, now: Instant
  ) throws(StoreError) -> QueueSummary {
    var summary = QueueSummary(sink: sink, pending: 0, oldest: nil)
    for row in shelves[device]?.rows ?? [] where venue.map({ $0 == row.location.venue }) ?? true {
      guard let delivery = row.deliveries.first(where: { $0.sink == sink }) else { continue }
      if delivery.maySend(now: now, until: delivery.leaseEnd) {
        summary.pending += 1
        if summary.oldest == nil { summary.oldest = row.location.time }
      } else if delivery.status == .leased {
        summary.leased += 1
      }
    }
    return summary
  }

  /// See ``Store/nextLeaseEnd(of:sink:)``.
  public func nextLeaseEnd(of device: DeviceID, sink: SinkID) throws(StoreError) -> Instant? {
    (shelves[device]?.rows ?? []).flatMap(\.deliveries)
      .filter { $0.sink == sink && $0.status == .leased }.map(\.leaseEnd).min()
  }

  /// See ``Store/usage(of:)``.
  public func usage(of device: DeviceID) throws(StoreError) -> StoreUsage {
    let rows = shelves[device]?.rows.count ?? 0
    return StoreUsage(rows: rows, bytes: rows * Settings.bytesPerRow)
  }

  /// See ``Store/expire(_:before:)``.
  public func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> Removal {
    let rows = shelves[device]?.rows ?? []
    let count = rows.firstIndex { $0.location.time >= time } ?? rows.count
    var removal = try expire(device, oldest: count)
    removal.end = Instant(milliseconds: min(max(time.milliseconds, 0), 0x7fff_ffff_ffff))
    return removal
  }

  /// See ``Store/expire(_:oldest:)``.
  public func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> Removal {
    let rows = shelves[device]?.rows ?? []
    var removal = Removal(waiting: 0, quarantined: 0)
    for row in rows.prefix(max(0, count)) {
      if row.isQuarantined { removal.quarantined += 1 } else { removal.waiting += 1 }
    }
    guard count > 0 else { return removal }
    let end = min(count, rows.count)
    removal.end = end < rows.count ? rows[end].location.time : Instant(milliseconds: 0x7fff_ffff_ffff)
    drop(Set(0..<end), of: device)
    return removal
  }

  /// See ``Store/wipe(_:)``.
  public func wipe(_ device: DeviceID) throws(StoreError) -> Removal {
    try expire(device, oldest: .max)
  }

  /// See ``Store/locations(of:)``.
  public func locations(of device: DeviceID) throws(StoreError) -> [Location] {
    (shelves[device]?.rows ?? []).map(\.location)
  }

  /// See ``Store/deliveries(of:)``.
  public func deliveries(of device: DeviceID) throws(StoreError) -> [Delivery] {
    (shelves[device]?.rows ?? []).flatMap { row in
      row.deliveries.sorted { $0.sink < $1.sink }.map {
        Delivery(
          id: row.location.id, sink: $0.sink, status: $0.status, leaseEnd: $0.status == .leased ? $0.leaseEnd : nil,
          attempts: $0.attempts)
      }
    }
  }

  /// See ``Store/takeLosses(of:)``: memory loses nothing.
  public func takeLosses(of device: DeviceID) throws(StoreError) -> Removal { Removal(waiting: 0, quarantined: 0) }

  /// See ``Store/scrub()``.
  public func scrub() throws(StoreError) {}
}

extension MemoryStore.Way {
  /// A lease that ends later than any lease could is one from before the clock was set back.
  func maySend(now: Instant, until: Instant) -> Bool {
    switch status {
    case .pending: true
    case .leased: leaseEnd <= now || leaseEnd > until
    case .quarantined: false
    }
  }
}
