import CordonCore
public import CordonMonitoring

/// Compares a store with `MemoryStore`: the same random operations must give the same answers and leave the same
/// rows.
///
/// Run it on every implementation of `Store`, with many seeds:
/// ```swift
/// for seed in 0..<100 { #expect(try StoreConformance.difference(of: makeStore(), seed: UInt64(seed)) == nil) }
/// ```
public enum StoreConformance {
  /// Performs `steps` operations on an empty store. Returns a description of the first different answer, or `nil`.
  public static func difference(of store: any Store, seed: UInt64, steps: Int = 300) throws(StoreError) -> String? {
    var run = Run(store: store, seed: seed)
    for step in 0..<steps {
      if let difference = try run.step() { return "seed \(seed), step \(step): \(difference)" }
    }
    return nil
  }

  private struct Run {
    let store: any Store
    let model = MemoryStore()
    var random: RandomStream
    var now = Instant(milliseconds: 1_767_254_400_000)
    var leased: [(DeviceID, SinkID, [Location])] = []
    let devices = ["a", "b", "ü-3"].compactMap { DeviceID($0) }
    let sinks: SinkSet
    let required: SinkSet

    init(store: any Store, seed: UInt64) {
      self.store = store
      random = RandomStream(seed: seed, stream: 0x57)
      let number = random.nextIndex(below: 3)
      sinks = SinkSet(number == 0 ? [.cordon] : [.cordon, .overland, .file])
      required = SinkSet(number == 2 ? [.cordon, .file] : [.cordon])
    }

    mutating func step() throws(StoreError) -> String? {
      let device = devices[random.nextIndex(below: devices.count)]
      let sink = sinks.members[random.nextIndex(below: sinks.members.count)]
      now = now + .milliseconds(Int64(random.nextIndex(below: 20_000)))
      if try model.device(device) == nil {
        var record = DeviceRecord(id: device, type: "phone")
        record.state = [1, 2, 3]
        try both { store throws(StoreError) in try store.save(record) }
      }
      try store.begin(random.nextIndex(below: 10) == 0 ? .full : .normal)
      try model.begin(.normal)
      var difference: String?
      for _ in 0...random.nextIndex(below: 3) where difference == nil { difference = try operate(device, sink) }
      if random.nextIndex(below: 8) == 0 {
        store.rollback()
        model.rollback()
      } else {
        try store.commit()
        try model.commit()
      }
      if let difference { return difference }
      return try compare()
    }

    private func both(_ body: (any Store) throws(StoreError) -> Void) throws(StoreError) {
      try store.begin(.normal)
      try body(store)
      try store.commit()
      try model.begin(.normal)
      try body(model)
      try model.commit()
    }

    private mutating func operate(_ device: DeviceID, _ sink: SinkID) throws(StoreError) -> String? {
      if try model.device(device) == nil { return nil }
      switch random.nextIndex(below: 12) {
      case 0, 1, 2, 3, 4:
        let location = location(of: device)
        return try same("insert") { (store) throws(StoreError) in try store.insert(location, sinks: sinks) }
      case 5:
        let rows = try model.locations(of: device)
        var location = rows.isEmpty ? location(of: device) : rows[random.nextIndex(below: rows.count)]
        location.stillUntil = now
        return try same("extend") { (store) throws(StoreError) in try store.extend(location, sinks: sinks) }
      case 6, 7:
        let limit = random.nextIndex(below: 6)
        let until = now + .minutes(random.nextIndex(below: 2) == 0 ? 5 : 0)
        let venue = random.nextIndex(below: 3) == 0 ? VenueID("other") : nil
        let taken = try model.lease(device, sink: sink, venue: venue, limit: limit, now: now, until: until)
        leased.append((device, sink, taken))
        let other = try store.lease(device, sink: sink, venue: venue, limit: limit, now: now, until: until)
        return taken == other ? nil : "lease: \(other.map(\.id)) instead of \(taken.map(\.id))"
      case 8, 9: return try settle()
      case 10: return try remove(device)
      default:
        var record = try model.device(device) ?? DeviceRecord(id: device, type: "phone")
        record.authToken = "token-\(random.nextIndex(below: 9))"
        record.expiresAt = now
        record.isActivated.toggle()
        record.secret = random.nextIndex(below: 2) == 0 ? nil : "s"
        record.venue = VenueID("venue")
        record.activations = ["a-venue", "b-venue"].prefix(random.nextIndex(below: 3)).compactMap { name in
          VenueID(name).map { Activation(venue: $0, secret: "s-\(name)", authToken: "t", expiresAt: now) }
        }
        record.erasureSecrets = random.nextIndex(below: 2) == 0 ? [:] : [device: "old"]
        record.notices = (1...3).prefix(random.nextIndex(below: 4)).map { number in
          ExposureNotice(
            id: number, template: "test", day: "2026-01-05", advice: "Call\nus.", created: now,
            expires: now + .days(14),
            received: now, acknowledged: random.nextIndex(below: 2) == 0 ? nil : now, isAcknowledgementSent: false)
        }
        try store.save(record)
        try model.save(record)
        let state = (0..<random.nextIndex(below: 5)).map { UInt8($0) }
        try store.save(state: state, of: device)
        try model.save(state: state, of: device)
        return nil
      }
    }

    private mutating func settle() throws(StoreError) -> String? {
      guard !leased.isEmpty else { return nil }
      let (device, sink, rows) = leased.remove(at: random.nextIndex(below: leased.count))
      if try model.device(device) == nil { return nil }
      let outcomes: [DeliveryResult.Outcome] = [.acknowledged, .acknowledged, .kept, .refused]
      var settlements: [DeliveryResult] = []
      for row in rows {
        let outcome = outcomes[random.nextIndex(below: outcomes.count)]
        let reason = random.nextIndex(below: 2) == 0 ? nil : "refused, \(random.nextIndex(below: 9))"
        settlements.append(
          DeliveryResult(
            id: row.id, stillUntil: row.stillUntil, outcome: outcome, reason: outcome == .refused ? reason : nil))
      }
      let rest = settlements
      return try same("settle") { (store) throws(StoreError) in
        try store.completeLease(device, sink: sink, rows: rest, required: required)
      }
    }

    private mutating func remove(_ device: DeviceID) throws(StoreError) -> String? {
      switch random.nextIndex(below: 8) {
      case 0: return try same("wipe") { (store) throws(StoreError) in try store.wipe(device) }
      case 7:
        let venue = try model.locations(of: device).last?.venue ?? .everywhere
        return try same("wipe of a venue") { (store) throws(StoreError) in try store.wipe(device, venue: venue) }
      case 1:
        try store.remove(device)
        try model.remove(device)
        return nil
      case 2, 3, 4:
        let count = random.nextIndex(below: 4)
        return try same("expire") { (store) throws(StoreError) in try store.expire(device, oldest: count) }
      default:
        let time = now - .minutes(Int64(random.nextIndex(below: 20)))
        return try same("expire") { (store) throws(StoreError) in try store.expire(device, before: time) }
      }
    }

    private func same<T: Equatable>(
      _ what: String, _ body: (any Store) throws(StoreError) -> T
    ) throws(StoreError) -> String? {
      let expected = try body(model)
      let answer = try body(store)
      return expected == answer ? nil : "\(what): \(answer) instead of \(expected)"
    }

    private func compare() throws(StoreError) -> String? {
      if try store.devices() != model.devices() { return "devices differ" }
      for device in try model.devices() {
        if try store.locations(of: device.id) != model.locations(of: device.id) { return "rows of \(device.id) differ" }
        let usage = try store.usage(of: device.id)
        let rows = try model.usage(of: device.id).rows
        if usage != StoreUsage(rows: rows, bytes: rows * store.bytesPerRow) {
          return "usage: \(usage), not \(rows) rows"
        }
        if let difference = try same(
          "deliveries", { (store) throws(StoreError) in try store.deliveries(of: device.id) })
        {
          return difference
        }
        for sink in sinks.members {
          for venue in [nil, VenueID("venue"), VenueID("nowhere")] {
            if let difference = try same(
              "queue",
              { (store) throws(StoreError) in try store.queue(of: device.id, sink: sink, venue: venue, now: now) })
            {
              return difference
            }
          }
        }
      }
      return nil
    }

    private mutating func location(of device: DeviceID) -> Location {
      // Few times and places, so that fixes repeat. There are no two fixes of one time, because a sealed store does
      // not know their order.
      let time = now - .seconds(Int64(random.nextIndex(below: 40)))
      let which = Int((time.milliseconds / 7) % 9)
      let coordinate = Coordinate(longitude: 8 + Double(which % 3) / 1e4, latitude: 47)
      let floor = [nil, FloorOrdinal(0), FloorOrdinal(0.5)][which / 3]
      let id = FixID(device: device, time: time, coordinate: coordinate, accuracy: 5, floor: floor)
      let venues = ["venue", "other"].compactMap { VenueID($0) }
      return Location(
        id: id, device: device, venue: venues[random.nextIndex(below: 2)], coordinate: coordinate, accuracy: 5,
        floor: floor, time: time, space: random.nextIndex(below: 2) == 0 ? nil : SpaceID("s'pace"),
        venueHash: random.nextIndex(below: 2) == 0 ? "" : "ab")
    }
  }
}
