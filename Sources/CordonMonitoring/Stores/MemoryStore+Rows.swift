public import CordonCore

extension MemoryStore {
  /// Calls `body` with the rows of a device, moved out so that they change in place; `nil` when the device was never
  /// saved.
  private func withRows<T>(_ device: DeviceID, _ body: (inout [Row]) -> T) -> T? {
    guard let shelf = shelves.index(forKey: device) else { return nil }
    var rows: [Row] = []
    swap(&rows, &shelves.values[shelf].rows)
    defer { swap(&rows, &shelves.values[shelf].rows) }
    return body(&rows)
  }

  /// See ``Store/insert(_:sinks:)``.
  public func insert(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    let isNew = withRows(location.device) { rows in
      let place = Self.place(of: location.id, in: rows)
      if place.isThere { return false }
      rows.insert(Row(location: location, deliveries: sinks.members.map { Way(sink: $0) }), at: place.index)
      note(.inserted(location.device, location.id))
      return true
    }
    guard let isNew else { throw StoreError(.failed, "insert: device \(location.device) was never saved") }
    return isNew
  }

  /// See ``Store/extend(_:sinks:)``.
  public func extend(_ location: Location, sinks: SinkSet) throws(StoreError) -> Bool {
    if try insert(location, sinks: sinks) { return true }
    _ = withRows(location.device) { rows in
      let index = Self.place(of: location.id, in: rows).index
      note(.changed(location.device, rows[index]))
      if (location.stillUntil ?? .epoch) > (rows[index].location.stillUntil ?? rows[index].location.time) {
        rows[index].location.stillUntil = location.stillUntil
        // A sink that acknowledged the shorter stay, while another had not, gets the longer one too.
        let waiting = rows[index].deliveries.map(\.sink)
        for sink in sinks.members where !waiting.contains(sink) { rows[index].deliveries.append(Way(sink: sink)) }
      }
    }
    return false
  }

  /// See ``Store/lease(_:sink:venue:limit:now:until:)``.
  public func lease(
    _ device: DeviceID, sink: SinkID, venue: VenueID?, limit: Int, now: Instant, until: Instant
  ) throws(StoreError) -> [Location] {
    withRows(device) { rows in
      var taken: [Location] = []
      for index in rows.indices where taken.count < limit {
        if let venue, venue != rows[index].location.venue { continue }
        guard let which = rows[index].way(to: sink), rows[index].deliveries[which].maySend(now: now, until: until)
        else { continue }
        note(.way(device, rows[index].location.id, rows[index].deliveries[which]))
        rows[index].deliveries[which].status = .leased
        rows[index].deliveries[which].leaseEnd = until
        rows[index].deliveries[which].attempts += 1
        taken.append(rows[index].location)
      }
      return taken
    } ?? []
  }

  /// See ``Store/completeLease(_:sink:rows:required:)``.
  public func completeLease(
    _ device: DeviceID, sink: SinkID, rows results: [DeliveryResult], required: SinkSet
  ) throws(StoreError) -> DeliveryCounts {
    withRows(device) { rows in
      var counts = DeliveryCounts()
      var removed: [Int] = []
      for result in results {
        let place = Self.place(of: result.id, in: rows)
        guard place.isThere,
          settle(&rows[place.index], of: device, sink: sink, result, required: required, &counts)
        else { continue }
        removed.append(place.index)
        counts.removed += 1
      }
      Self.drop(removed, from: &rows)
      return counts
    } ?? DeliveryCounts()
  }

  /// Applies a result to a row. Returns whether no sink needs the row any more.
  private func settle(
    _ row: inout Row, of device: DeviceID, sink: SinkID, _ result: DeliveryResult, required: SinkSet,
    _ counts: inout DeliveryCounts
  ) -> Bool {
    guard let which = row.deliveries.firstIndex(where: { $0.sink == sink && $0.status != .quarantined }) else {
      return false
    }
    let isRefused = result.outcome == .refused && required.contains(sink)
    if isRefused, !row.isQuarantined { counts.quarantined += 1 }
    if result.outcome == .kept { counts.kept += 1 } else if !isRefused { counts.acknowledged += 1 }
    let hasGrown = row.location.stillUntil != result.stillUntil
    let isGone = result.outcome == .refused ? !isRefused : result.outcome == .acknowledged && !hasGrown
    let isWanted = row.deliveries.contains { required.contains($0.sink) && !(isGone && $0.sink == sink) }
    guard isWanted else {
      note(.removed(device, row))
      // A repeated answer finds no delivery and changes nothing.
      row.deliveries = []
      return true
    }
    note(.changed(device, row))
    if isGone {
      row.deliveries.remove(at: which)
    } else if isRefused {
      row.deliveries[which].status = .quarantined
      row.deliveries[which].reason = result.reason
    } else if result.outcome == .kept {
      row.deliveries[which].status = .pending
    } else {
      row.deliveries[which] = Way(sink: sink)
    }
    return false
  }

  /// Removes rows, whole ranges at once.
  private static func drop(_ indices: [Int], from rows: inout [Row]) {
    let ascending = indices.sorted()
    var end = ascending.count
    while end > 0 {
      var start = end - 1
      while start > 0, ascending[start - 1] == ascending[start] - 1 { start -= 1 }
      rows.removeSubrange(ascending[start]...ascending[end - 1])
      end = start
    }
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

  /// See ``Store/usage(of:)``.
  public func usage(of device: DeviceID) throws(StoreError) -> StoreUsage {
    let rows = withRows(device) { $0.count } ?? 0
    return StoreUsage(rows: rows, bytes: rows * MonitorConfiguration.bytesPerRow)
  }

  /// See ``Store/expire(_:before:)``.
  public func expire(_ device: DeviceID, before time: Instant) throws(StoreError) -> DeletionCount {
    let count = withRows(device) { rows in rows.firstIndex { $0.location.time >= time } ?? rows.count } ?? 0
    var removal = try expire(device, oldest: count)
    removal.end = Instant(milliseconds: min(max(time.milliseconds, 0), 0x7fff_ffff_ffff))
    return removal
  }

  /// See ``Store/expire(_:oldest:)``.
  public func expire(_ device: DeviceID, oldest count: Int) throws(StoreError) -> DeletionCount {
    var removal = DeletionCount(waiting: 0, quarantined: 0)
    guard count > 0 else { return removal }
    removal.end = Instant(milliseconds: 0x7fff_ffff_ffff)
    _ = withRows(device) { rows in
      let end = min(count, rows.count)
      for row in rows[..<end] {
        if row.isQuarantined { removal.quarantined += 1 } else { removal.waiting += 1 }
        note(.removed(device, row))
      }
      if end < rows.count { removal.end = rows[end].location.time }
      rows.removeFirst(end)
    }
    return removal
  }

  /// See ``Store/wipe(_:)``.
  public func wipe(_ device: DeviceID) throws(StoreError) -> DeletionCount {
    try expire(device, oldest: .max)
  }

  /// See ``Store/wipe(_:venue:)``.
  public func wipe(_ device: DeviceID, venue: VenueID) throws(StoreError) -> DeletionCount {
    var removal = DeletionCount(waiting: 0, quarantined: 0)
    _ = withRows(device) { rows in
      for row in rows where row.location.venue == venue {
        if row.isQuarantined { removal.quarantined += 1 } else { removal.waiting += 1 }
        note(.removed(device, row))
      }
      rows.removeAll { $0.location.venue == venue }
    }
    return removal
  }

  /// The identities of ``locations(of:)``, in their order.
  package func identities(of device: DeviceID) -> [FixID] {
    withRows(device) { rows in rows.indices.map { rows[$0].location.id } } ?? []
  }

  /// Returns a function that reports whether a row exists now.
  package func lookUp(_ device: DeviceID) -> (FixID) -> Bool {
    let rows = shelves[device]?.rows ?? []
    return { MemoryStore.place(of: $0, in: rows).isThere }
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
          attempts: $0.attempts, reason: $0.reason)
      }
    }
  }

  /// See ``Store/takeUnreadableRows(of:)``: memory never has unreadable rows.
  public func takeUnreadableRows(of device: DeviceID) throws(StoreError) -> DeletionCount {
    DeletionCount(waiting: 0, quarantined: 0)
  }

  /// See ``Store/scrub()``.
  public func scrub() throws(StoreError) {}
}

extension MemoryStore.Row {
  /// The index of the delivery to a sink.
  func way(to sink: SinkID) -> Int? { deliveries.firstIndex { $0.sink == sink } }
}

extension MemoryStore.Way {
  /// Whether a row may be sent. A lease that ends later than `until` dates from before the clock was set back.
  func maySend(now: Instant, until: Instant) -> Bool {
    switch status {
    case .pending: true
    case .leased: leaseEnd <= now || leaseEnd > until
    case .quarantined: false
    }
  }
}
