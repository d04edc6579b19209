package import CordonContacts
internal import CordonCore
import CordonSupport

/// A writer of a backtrace from index cases as a directed graph in GraphML.
package enum BacktraceGraph {
  /// Writes the text to `output` in pieces; `name` returns the name of a device.
  package static func write(
    _ trace: Backtrace, name: (Int32) -> String, to output: (String) throws -> Void
  ) rethrows {
    try output(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
        <key id="generation" for="node" attr.name="generation" attr.type="int"/>
        <key id="time" for="node" attr.name="time" attr.type="string"/>
        <key id="total_s" for="edge" attr.name="total_s" attr.type="double"/>
        <key id="indirect" for="edge" attr.name="indirect" attr.type="boolean"/>
        <graph id="backtrace" edgedefault="directed">

      """)
    for node in trace.nodes {
      try output(
        "    <node id=\"\(MarkupText.escaped(name(node.device)))\"><data key=\"generation\">\(node.generation)</data><data key=\"time\">\(Instant.rfc3339(microseconds: node.time))</data></node>\n"
      )
    }
    for edge in trace.edges {
      try output(
        "    <edge source=\"\(MarkupText.escaped(name(edge.source)))\" target=\"\(MarkupText.escaped(name(edge.target)))\"><data key=\"total_s\">\(TextEscape.seconds(edge.total))</data><data key=\"indirect\">\(edge.isIndirect)</data></edge>\n"
      )
    }
    try output("  </graph>\n</graphml>\n")
  }
}
