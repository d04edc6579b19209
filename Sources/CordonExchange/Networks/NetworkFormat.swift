package import CordonContacts
internal import CordonCore
import CordonSupport

/// The formats of a contact network.
package enum NetworkFormat: String, Hashable, Sendable, CaseIterable {
  /// CSV with one row for each pair with contacts.
  case csv
  /// JSON Lines with one object for each pair with contacts.
  case jsonLines = "jsonl"
  /// One row `t i j` for each pair and each tick with contact, a common format of temporal networks.
  case tij
  /// GraphML 1.0, undirected, with weights: yEd, igraph, NetworkX, Gephi.
  case graphML = "graphml"
  /// GEXF 1.3: Gephi.
  case gexf
}

/// A writer of contact networks.
///
/// It takes device names from a closure and escapes them as the format requires.
package struct NetworkWriter {
  private let network: ContactNetwork
  private let name: (Int32) -> String
  private let communities: [Int]

  /// Creates a writer and computes the communities of the network.
  ///
  /// - Parameters:
  ///   - network: the network to write.
  ///   - name: returns the name of a device.
  package init(_ network: ContactNetwork, name: @escaping (Int32) -> String) {
    self.network = network
    self.name = name
    communities = network.communities()
  }

  /// Writes the text in pieces.
  ///
  /// - Parameters:
  ///   - format: the format of the text.
  ///   - tick: the length of a tick of ``NetworkFormat/tij`` in seconds; at least 1.
  ///   - output: receives the pieces of the text.
  package func write(_ format: NetworkFormat, tick: Int64 = 20, to output: (String) throws -> Void)
    rethrows
  {
    switch format {
    case .csv: try writeCSV(to: output)
    case .jsonLines: try writeJSONLines(to: output)
    case .tij: try writeTicks(max(tick, 1), to: output)
    case .graphML: try writeGraphML(to: output)
    case .gexf: try writeGEXF(to: output)
    }
  }

  private func writeCSV(to output: (String) throws -> Void) rethrows {
    try output("device_a,device_b,contacts,contact_s,first_start,last_end,min_distance_m\n")
    for edge in network.edges {
      try output(
        "\(TextEscape.csv(name(edge.first))),\(TextEscape.csv(name(edge.second))),\(edge.contacts),\(TextEscape.seconds(edge.total)),\(Instant.rfc3339(microseconds: edge.start)),\(Instant.rfc3339(microseconds: edge.end)),\(TextEscape.metres(edge.minimumDistance))\n"
      )
    }
  }

  private func writeJSONLines(to output: (String) throws -> Void) rethrows {
    for edge in network.edges {
      try output(
        "{\"device_a\":\(TextEscape.json(name(edge.first))),\"device_b\":\(TextEscape.json(name(edge.second))),\"contacts\":\(edge.contacts),\"contact_s\":\(TextEscape.seconds(edge.total)),\"first_start\":\"\(Instant.rfc3339(microseconds: edge.start))\",\"last_end\":\"\(Instant.rfc3339(microseconds: edge.end))\",\"min_distance_m\":\(TextEscape.metres(edge.minimumDistance))}\n"
      )
    }
  }

  /// A pair in contact from one tick to another. The number of a tick times its length is its end.
  private struct TickSpan {
    var first: Int64
    var last: Int64
    var pair: (Int32, Int32)
  }

  /// Writes a row for each pair and each tick with a positive contact time; t is the end of the tick in seconds since
  /// 1970. Memory depends on the number of contacts, not on their length.
  private func writeTicks(_ tick: Int64, to output: (String) throws -> Void) rethrows {
    let width = tick * 1_000_000
    let spans = network.allContacts.filter { $0.end > $0.start }
      .map { contact in
        TickSpan(
          first: contact.start.flooredMultiple(of: width) / width + 1,
          last: -((-contact.end).flooredMultiple(of: width) / width), pair: (contact.first, contact.second))
      }
      .sorted { $0.first < $1.first }
    var next = 0
    var present: [TickSpan] = []
    var number = spans.first?.first ?? 0
    while next < spans.count || !present.isEmpty {
      if present.isEmpty { number = spans[next].first }
      let count = present.count
      while next < spans.count, spans[next].first == number {
        present.append(spans[next])
        next += 1
      }
      if present.count > count { present.sort { $0.pair < $1.pair } }
      for (k, span) in present.enumerated() where k == 0 || present[k - 1].pair != span.pair {
        let names = (name(span.pair.0).escapedForTerminal(), name(span.pair.1).escapedForTerminal())
        try output("\(number * tick)\t\(names.0)\t\(names.1)\n")
      }
      number += 1
      present.removeAll { $0.last < number }
    }
  }

  private func writeGraphML(to output: (String) throws -> Void) rethrows {
    try output(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
        <key id="degree" for="node" attr.name="degree" attr.type="int"/>
        <key id="contact_s" for="node" attr.name="contact_s" attr.type="double"/>
        <key id="community" for="node" attr.name="community" attr.type="int"/>
        <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
        <key id="contacts" for="edge" attr.name="contacts" attr.type="int"/>
        <key id="min_distance_m" for="edge" attr.name="min_distance_m" attr.type="double"/>
        <graph id="contacts" edgedefault="undirected">

      """)
    for (k, node) in network.nodes.enumerated() {
      try output(
        "    <node id=\"\(MarkupText.escaped(name(node.device)))\"><data key=\"degree\">\(node.degree)</data><data key=\"contact_s\">\(TextEscape.seconds(node.total))</data><data key=\"community\">\(communities[k])</data></node>\n"
      )
    }
    for edge in network.edges {
      try output(
        "    <edge source=\"\(MarkupText.escaped(name(edge.first)))\" target=\"\(MarkupText.escaped(name(edge.second)))\"><data key=\"weight\">\(TextEscape.seconds(edge.total))</data><data key=\"contacts\">\(edge.contacts)</data><data key=\"min_distance_m\">\(TextEscape.metres(edge.minimumDistance))</data></edge>\n"
      )
    }
    try output("  </graph>\n</graphml>\n")
  }

  private func writeGEXF(to output: (String) throws -> Void) rethrows {
    try output(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gexf xmlns="http://gexf.net/1.3" version="1.3">
        <graph defaultedgetype="undirected" mode="static">
          <attributes class="node">
            <attribute id="0" title="contact_s" type="double"/>
            <attribute id="1" title="community" type="integer"/>
          </attributes>
          <attributes class="edge">
            <attribute id="0" title="contacts" type="integer"/>
            <attribute id="1" title="min_distance_m" type="double"/>
          </attributes>
          <nodes>

      """)
    for (k, node) in network.nodes.enumerated() {
      let text = MarkupText.escaped(name(node.device))
      try output(
        "      <node id=\"\(text)\" label=\"\(text)\"><attvalues><attvalue for=\"0\" value=\"\(TextEscape.seconds(node.total))\"/><attvalue for=\"1\" value=\"\(communities[k])\"/></attvalues></node>\n"
      )
    }
    try output("    </nodes>\n    <edges>\n")
    for (k, edge) in network.edges.enumerated() {
      try output(
        "      <edge id=\"\(k)\" source=\"\(MarkupText.escaped(name(edge.first)))\" target=\"\(MarkupText.escaped(name(edge.second)))\" weight=\"\(TextEscape.seconds(edge.total))\"><attvalues><attvalue for=\"0\" value=\"\(edge.contacts)\"/><attvalue for=\"1\" value=\"\(TextEscape.metres(edge.minimumDistance))\"/></attvalues></edge>\n"
      )
    }
    try output("    </edges>\n  </graph>\n</gexf>\n")
  }
}
