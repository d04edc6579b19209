internal import CContactKernel

/// The summed contact time of each pair of devices, up to a little more than an hour.
///
/// A triangle of 32-bit numbers while that is small, a hash table beyond; pages of the triangle that no pair
/// falls in take no memory.
struct PairTotals {
  /// The maximum number of devices for the triangle: 0.6 GB, if every pair met.
  private static let triangleLimit = 17_000

  private var triangle = Triangle()
  private var limit = triangleLimit
  private var table: [UInt64: UInt32] = [:]

  /// Adds the lengths of contacts.
  mutating func add(_ contacts: [Contact]) {
    guard let widest = contacts.lazy.map(\.second).max() else { return }
    if !isKnownUniquelyReferenced(&triangle) { triangle = triangle.copy() }
    // Without memory for a larger triangle, the pairs beyond it go to the table.
    if !triangle.makeRoom(for: min(Int(widest) + 1, limit), limit: limit) {
      limit = triangle.devices
    }
    if Int(widest) >= limit {
      for contact in contacts where Int(contact.second) >= limit {
        let key =
          UInt64(UInt32(bitPattern: contact.first)) << 32
          | UInt64(UInt32(bitPattern: contact.second))
        table[key] = PairTotals.sum(table[key] ?? 0, contact)
      }
    }
    triangle.add(contacts)
  }

  /// Pairs with a contact, be it of no length.
  var pairs: Int { pairs(ofAtLeast: 0) }

  /// Returns the number of pairs whose total is at least the given microseconds, up to 4 000 s.
  func pairs(ofAtLeast microseconds: UInt32) -> Int {
    triangle.count(above: microseconds) + table.values.count { $0 > microseconds }
  }

  /// One more than the microseconds, so that 0 says that a pair never met; stays at the largest number.
  @inline(__always)
  fileprivate static func sum(_ total: UInt32, _ contact: Contact) -> UInt32 {
    let sum = UInt64(max(total, 1)) + UInt64(clamping: contact.duration)
    return UInt32(clamping: sum)
  }

  private final class Triangle {
    private var cells: UnsafeMutablePointer<UInt32>?
    private(set) var devices = 0

    deinit { cordon_contact_release(cells) }

    func copy() -> Triangle {
      let copy = Triangle()
      if devices > 0, copy.grow(to: devices), let cells, let target = copy.cells {
        target.update(from: cells, count: Triangle.size(devices))
      }
      return copy
    }

    private static func size(_ devices: Int) -> Int { devices * (devices - 1) / 2 + 1 }

    private func grow(to devices: Int) -> Bool {
      guard let larger = cordon_contact_zeroed(Triangle.size(devices), MemoryLayout<UInt32>.stride) else {
        return false
      }
      let new = larger.bindMemory(to: UInt32.self, capacity: Triangle.size(devices))
      if let cells { new.update(from: cells, count: Triangle.size(self.devices)) }
      cordon_contact_release(cells)
      cells = new
      self.devices = devices
      return true
    }

    func makeRoom(for wanted: Int, limit: Int) -> Bool {
      wanted <= devices || grow(to: min(max(wanted, devices * 3 / 2), limit))
    }

    func add(_ contacts: [Contact]) {
      let limit = devices
      guard let cells else { return }
      contacts.withUnsafeBufferPointer { contacts in
        let ahead = 16
        for k in contacts.indices {
          if k &+ ahead < contacts.count {
            let later = contacts[k &+ ahead]
            if Int(later.second) < limit { cordon_contact_prefetch(cells + Triangle.cell(later)) }
          }
          let contact = contacts[k]
          guard Int(contact.second) < limit else { continue }
          let cell = Triangle.cell(contact)
          cells[cell] = PairTotals.sum(cells[cell], contact)
        }
      }
    }

    @inline(__always)
    private static func cell(_ contact: Contact) -> Int {
      let second = Int(contact.second)
      return (second &* (second &- 1)) / 2 &+ Int(contact.first)
    }

    /// Cells of pairs that never met are 0, which is above nothing.
    func count(above limit: UInt32) -> Int {
      guard let cells else { return 0 }
      var count = 0
      for k in 0..<(Triangle.size(devices) - 1) { count &+= cells[k] > limit ? 1 : 0 }
      return count
    }
  }
}
