public import CordonCore

/// Follows contacts from index cases, generation by generation: forwards to possible secondary cases, backwards to
/// possible sources of infection.
///
/// Steps respect time. Forwards, a device reached at an instant passes the infection on only in contacts after it.
/// Backwards, a device counts only with contacts before the contact through which it was found.
public struct Backtrace: Hashable, Sendable {
  /// The direction in which contacts are followed.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// To the people the index case may have infected.
    case forward
    /// To the people that may have infected the index case.
    case backward
  }

  /// A device at the start of the trace.
  public struct IndexCase: Hashable, Sendable {
    /// Index of the device.
    public var device: Int32
    /// The symptom onset of the device's bearer.
    public var onset: Instant

    /// An index case.
    public init(device: Int32, onset: Instant) {
      self.device = device
      self.onset = onset
    }
  }

  /// The limits of the trace.
  public struct Options: Hashable, Sendable {
    /// The direction.
    public var direction = Direction.forward
    /// The maximum number of steps, 1 or more.
    public var generations = 1
    /// Forwards: the span before onset from which contacts count (48 hours, by the CDC's definition of October 2020).
    public var infectiousBefore = TimeSpan.days(2)
    /// Forwards: the span after onset, or after being reached, until which contacts count.
    public var infectiousAfter = TimeSpan.days(10)
    /// Backwards: the span before onset, or before the contact of discovery, from which contacts count.
    public var incubation = TimeSpan.days(14)
    /// The minimum contact time of two devices within that span.
    public var minimumContact = TimeSpan.zero
    /// Whether to follow indirect contacts too.
    public var followsIndirect = false

    /// One step forwards.
    public init() {}
  }

  /// A reached device.
  public struct Node: Hashable, Sendable {
    /// Index of the device.
    public var device: Int32
    /// Steps from the index case; 0 for the index cases themselves.
    public var generation: Int
    /// Forwards: the earliest instant at which it may have been infected. Backwards: the latest at which it may have
    /// infected. Microseconds since 1970; the onset for index cases.
    public var time: Int64
    /// The devices of the previous generation from which it was reached, in ascending order; empty for index cases.
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
    /// The start of the first contact within the span, microseconds since 1970.
    public var start: Int64
    /// The end of the last contact, microseconds since 1970.
    public var end: Int64
    /// The contact time, microseconds.
    public var total: Int64
    /// The number of contacts.
    public var contacts: Int
    /// The smallest distance, metres; NaN for an indirect contact.
    public var minimumDistance: Double
    /// Whether the contacts were indirect: in the same space, one after the other.
    public var isIndirect: Bool
  }

  /// The reached devices, by generation and device; the index cases first.
  public private(set) var nodes: [Node] = []
  /// The steps, by generation, source and target; direct ones before indirect ones.
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
