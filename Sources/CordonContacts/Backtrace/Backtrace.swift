public import CordonCore

/// Follows contacts from index cases, generation by generation: forwards to those who may have been infected,
/// backwards to those who may have infected.
///
/// Steps respect time. Forwards, somebody reached at an instant passes it on only by contacts after it; backwards,
/// somebody matters only by contacts before the one that they were found by.
public struct Backtrace: Hashable, Sendable {
  /// Which way to follow contacts.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Whom the index case may have infected.
    case forward
    /// Who may have infected the index case.
    case backward
  }

  /// A device to begin from.
  public struct IndexCase: Hashable, Sendable {
    /// Index of the device.
    public var device: Int32
    /// When its bearer fell ill.
    public var onset: Instant

    /// An index case.
    public init(device: Int32, onset: Instant) {
      self.device = device
      self.onset = onset
    }
  }

  /// How far to follow.
  public struct Options: Hashable, Sendable {
    /// Which way.
    public var direction = Direction.forward
    /// How many steps, 1 or more.
    public var generations = 1
    /// Forwards: contacts count from so long before onset (48 hours, by the CDC's definition of October 2020).
    public var infectiousBefore = TimeSpan.days(2)
    /// Forwards: contacts count until so long after onset, or after being reached.
    public var infectiousAfter = TimeSpan.days(10)
    /// Backwards: contacts count from so long before onset, or before the contact found by.
    public var incubation = TimeSpan.days(14)
    /// The contact time that two devices need within that span.
    public var minimumContact = TimeSpan.zero
    /// Whether to follow indirect contacts too.
    public var followsIndirect = false

    /// One step forwards.
    public init() {}
  }

  /// A device that was reached.
  public struct Node: Hashable, Sendable {
    /// Index of the device.
    public var device: Int32
    /// Steps from the index case; 0 for the index cases themselves.
    public var generation: Int
    /// Forwards: the earliest instant at which it may have been infected. Backwards: the latest at which it may have
    /// infected. Microseconds since 1970; the onset for index cases.
    public var time: Int64
    /// The devices of the generation before that it was reached from, in rising order; empty for index cases.
    public var sources: [Int32]
  }

  /// A step from one device to another.
  public struct Edge: Hashable, Sendable {
    /// The device of the earlier generation.
    public var source: Int32
    /// The device that was reached.
    public var target: Int32
    /// The generation of the target.
    public var generation: Int
    /// From the first contact within the span, microseconds since 1970.
    public var start: Int64
    /// To the end of the last one.
    public var end: Int64
    /// The contact time, microseconds.
    public var total: Int64
    /// How many contacts.
    public var contacts: Int
    /// The smallest distance, metres; NaN for an indirect contact.
    public var minimumDistance: Double
    /// Whether they were only in the same space one after the other.
    public var isIndirect: Bool
  }

  /// The devices reached, by generation and device; the index cases first.
  public private(set) var nodes: [Node] = []
  /// The steps, by generation, source and target; those in person before indirect ones.
  public private(set) var edges: [Edge] = []

  /// Follows contacts. O(contacts log contacts) for each generation.
  public init(
    from cases: [IndexCase], contacts: [Contact], indirect: [IndirectContact] = [],
    options: Options = Options()
  ) {
    let graph = MeetingGraph(contacts, indirect: options.followsIndirect ? indirect : [])
    var reached: Set<Int32> = []
    var current: [Node] = []
    for indexCase in cases.sorted(by: { ($0.device, $0.onset) < ($1.device, $1.onset) })
    where reached.insert(indexCase.device).inserted {
      let time = indexCase.onset.milliseconds.multipliedReportingOverflow(by: 1_000)
      guard !time.overflow else { continue }
      current.append(
        Node(device: indexCase.device, generation: 0, time: time.partialValue, sources: []))
    }
    nodes = current
    for generation in stride(from: 1, through: options.generations, by: 1) {
      var found: [Int32: Node] = [:]
      for node in current {
        for edge in graph.edges(from: node, generation: generation, options: options)
        where !reached.contains(edge.target) {
          edges.append(edge)
          let time = graph.time(of: edge, from: node, options: options)
          var target =
            found[edge.target]
            ?? Node(device: edge.target, generation: generation, time: time, sources: [])
          target.time =
            options.direction == .forward ? min(target.time, time) : max(target.time, time)
          if target.sources.last != edge.source { target.sources.append(edge.source) }
          found[edge.target] = target
        }
      }
      current = found.keys.sorted().compactMap { found[$0] }
      reached.formUnion(found.keys)
      nodes.append(contentsOf: current)
      if current.isEmpty { break }
    }
    edges.sort {
      ($0.generation, $0.source, $0.target, $0.isIndirect ? 1 : 0)
        < ($1.generation, $1.source, $1.target, $1.isIndirect ? 1 : 0)
    }
  }
}
