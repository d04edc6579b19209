/// A graph of contacts: devices are nodes, and pairs that met are edges weighted by contact time. Devices without
/// contacts are nodes of degree 0.
public struct ContactNetwork: Sendable {
  /// A device.
  public struct Node: Hashable, Sendable {
    /// Index of the device.
    public var device: Int32
    /// The number of other devices that it was in contact with.
    public var degree: Int
    /// Its contact time summed over the others, microseconds.
    public var total: Int64
    /// The number of its contacts.
    public var contacts: Int
  }

  /// A pair that met.
  public struct Edge: Hashable, Sendable {
    /// Index of the first device; less than ``second``.
    public var first: Int32
    /// Index of the second device.
    public var second: Int32
    /// Their contact time, microseconds.
    public var total: Int64
    /// The number of their contacts.
    public var contacts: Int
    /// The start of their first meeting, microseconds since 1970.
    public var start: Int64
    /// The end of their last meeting, microseconds since 1970.
    public var end: Int64
    /// The smallest distance, metres.
    public var minimumDistance: Double
  }

  /// The devices, in rising order.
  public private(set) var nodes: [Node] = []
  /// The pairs, in rising order.
  public private(set) var edges: [Edge] = []
  /// The lengths of all contacts, microseconds, in rising order.
  public private(set) var durations: [Int64] = []
  /// The times between two consecutive contacts of a pair, microseconds, in rising order.
  public private(set) var gaps: [Int64] = []
  let contacts: [Contact]

  /// The contacts of the graph, by devices and start.
  public var allContacts: [Contact] { contacts }

  /// Builds the graph of contacts in any order. O(n log n).
  /// - Parameters:
  ///   - contacts: the contacts.
  ///   - present: all devices that could have met; those of the contacts need not be among them.
  public init(_ contacts: [Contact], among present: [Int32] = []) {
    let sorted = contacts.sorted { a, b in
      (a.first, a.second, a.start, a.end, a.floor) < (b.first, b.second, b.start, b.end, b.floor)
    }
    self.contacts = sorted
    var devices: [Int32: Node] = [:]
    for device in present { devices[device] = Node(device: device, degree: 0, total: 0, contacts: 0) }
    for contact in sorted {
      durations.append(contact.duration)
      if let last = edges.last, last.first == contact.first, last.second == contact.second {
        if contact.start > last.end { gaps.append(contact.start - last.end) }
        edges[edges.count - 1].total += contact.duration
        edges[edges.count - 1].contacts += 1
        edges[edges.count - 1].end = max(last.end, contact.end)
        edges[edges.count - 1].minimumDistance = min(last.minimumDistance, contact.minimumDistance)
      } else {
        edges.append(
          Edge(
            first: contact.first, second: contact.second, total: contact.duration, contacts: 1,
            start: contact.start,
            end: contact.end, minimumDistance: contact.minimumDistance))
      }
    }
    for edge in edges {
      for device in [edge.first, edge.second] {
        var node = devices[device] ?? Node(device: device, degree: 0, total: 0, contacts: 0)
        node.degree += 1
        node.total += edge.total
        node.contacts += edge.contacts
        devices[device] = node
      }
    }
    nodes = devices.values.sorted { $0.device < $1.device }
    durations.sort()
    gaps.sort()
  }

  /// The share of the pairs of devices that met; 0 with fewer than two devices.
  public var density: Double {
    nodes.count > 1 ? Double(edges.count) / (Double(nodes.count) * Double(nodes.count - 1) / 2) : 0
  }

  /// The number of devices of each degree, from degree 0 to the largest.
  public var degreeCounts: [Int] {
    var counts = [Int](repeating: 0, count: (nodes.map(\.degree).max() ?? -1) + 1)
    for node in nodes { counts[node.degree] += 1 }
    return counts
  }

  /// The share of values that are at least each limit: the distribution that contact studies draw.
  public static func shareReaching(_ limits: [Int64], of sorted: [Int64]) -> [Double] {
    limits.map { limit in
      sorted.isEmpty
        ? 0 : Double(sorted.count - sorted.partitioningIndex { $0 >= limit }) / Double(sorted.count)
    }
  }

  /// Returns the value that a share of the sorted values does not exceed; `nil` if there are no values.
  public static func quantile(_ share: Double, of sorted: [Int64]) -> Int64? {
    guard !sorted.isEmpty else { return nil }
    let rank = Int((share * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank - 1, 0), sorted.count - 1)]
  }

  /// Returns the number and duration of contacts by the space of their closest point, the longest duration first.
  public func contactsBySpace(_ locator: some SpaceLocator) -> [(
    space: Int, contacts: Int, total: Int64
  )] {
    var found: [Int: (Int, Int64)] = [:]
    for contact in contacts {
      guard let space = locator.space(floor: contact.floor, x: contact.x, y: contact.y) else {
        continue
      }
      let known = found[space] ?? (0, 0)
      found[space] = (known.0 + 1, known.1 + contact.duration)
    }
    return found.map { ($0.key, $0.value.0, $0.value.1) }.sorted {
      ($1.2, $1.1, $0.0) < ($0.2, $0.1, $1.0)
    }
  }
}
