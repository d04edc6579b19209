import CordonCore

/// Collects nodes and the edges between them, whose ends are given as text.
///
/// Names are looked up by their bytes in the file, so that no string is created for an edge.
struct GraphBuilder {
  private struct Late {
    var from: Int32
    var target: String
    var extraCost: Double
    var file: String
    var pointer: String
  }

  /// Costs from this value on mean "blocked".
  static let impassable = 1_000_000.0

  private(set) var graph = NavigationGraph()
  private var slots: [Int32] = Array(repeating: -1, count: 1024)
  private var late: [Late] = []

  /// Adds a node and returns its index. A second node with the same identifier is dropped, and `nil` is returned.
  mutating func add(
    _ node: NavigationGraph.Node, file: String, pointer: @autoclosure () -> String, _ findings: inout FindingLog
  ) -> Int32? {
    if (graph.nodes.count + 1) * 2 > slots.count { grow() }
    let slot = slot(of: node.id)
    guard slots[slot] < 0 else {
      findings.add(
        .warning, "duplicate-id", file: file, pointer: pointer(), object: node.id, action: .ignored,
        "two nodes have this identifier; the first is kept")
      return nil
    }
    let index = Int32(truncatingIfNeeded: graph.nodes.count)
    slots[slot] = index
    graph.nodes.append(node)
    return index
  }

  /// Returns the index of the node with an identifier; `nil` if there is none.
  func index(of id: String) -> Int32? {
    let found = slots[slot(of: id)]
    return found < 0 ? nil : found
  }

  /// Adds an edge to the node that the JSON string `target` names; that node may be in a later file.
  mutating func connect(
    _ from: Int32, to target: JSONView, extraCost: Double, pointer: @autoclosure () -> String,
    _ findings: inout FindingLog
  ) {
    let node = target.document.tape[target.index]
    if node.kind == .string {
      let start = Int(node.offset)
      let found = target.document.bytes.withUnsafeBufferPointer { bytes in
        slots[slot(of: UnsafeBufferPointer(rebasing: bytes[start..<start + node.byteCount]))]
      }
      if found >= 0 {
        append(from, found, extraCost, target.document.file, pointer(), &findings)
        return
      }
    }
    guard let name = target.identifier else { return }
    if let found = index(of: name) {
      append(from, found, extraCost, target.document.file, pointer(), &findings)
    } else {
      late.append(
        Late(from: from, target: name, extraCost: extraCost, file: target.document.file, pointer: pointer()))
    }
  }

  /// Adds an edge between existing nodes.
  mutating func connect(_ from: Int32, to: Int32, extraCost: Double) {
    graph.edges.append(NavigationGraph.Edge(from: from, to: to, extraCost: extraCost))
  }

  /// Returns the graph without dangling or blocked edges; `nil` if there are no nodes.
  mutating func finished(_ findings: inout FindingLog) -> NavigationGraph? {
    for edge in late {
      if let to = index(of: edge.target) {
        append(edge.from, to, edge.extraCost, edge.file, edge.pointer, &findings)
      } else {
        findings.add(
          .warning, "dangling-reference", file: edge.file, pointer: edge.pointer,
          object: graph.nodes[Int(edge.from)].id, action: .ignored, "the neighbour \(edge.target) is absent")
      }
    }
    late = []
    return graph.nodes.isEmpty ? nil : graph
  }

  private mutating func append(
    _ from: Int32, _ to: Int32, _ extraCost: Double, _ file: String, _ pointer: @autoclosure () -> String,
    _ findings: inout FindingLog
  ) {
    guard extraCost.magnitude < GraphBuilder.impassable else {
      findings.add(
        .info, "edge-impassable", file: file, pointer: pointer(), object: graph.nodes[Int(from)].id, action: .ignored,
        "the edge costs \(extraCost), which means blocked")
      return
    }
    graph.edges.append(NavigationGraph.Edge(from: from, to: to, extraCost: extraCost))
  }

  private func slot(of id: String) -> Int {
    var id = id
    return id.withUTF8 { slot(of: $0) }
  }

  // Linear probing. The hash is seeded, so a hostile map cannot choose its collisions.
  private func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    let mask = slots.count - 1
    var slot = hasher.finalize() & mask
    while slots[slot] >= 0, !matches(graph.nodes[Int(slots[slot])].id, name) { slot = (slot + 1) & mask }
    return slot
  }

  private func matches(_ id: String, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let utf8 = id.utf8
    guard utf8.count == name.count else { return false }
    return utf8.withContiguousStorageIfAvailable { $0.elementsEqual(name) } ?? utf8.elementsEqual(name)
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for index in graph.nodes.indices { slots[slot(of: graph.nodes[index].id)] = Int32(truncatingIfNeeded: index) }
  }
}
