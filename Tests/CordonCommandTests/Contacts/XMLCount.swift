import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The nodes and edges of a GraphML or GEXF file, as an independent reader finds them.
final class XMLCount: NSObject, XMLParserDelegate {
  private var found: [String] = []
  private(set) var edges: [[String]] = []

  /// The identifiers of nodes, sorted.
  var ids: [String] { found.sorted() }

  init(path: String) throws {
    super.init()
    let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: path)))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    if name == "node" { found.append(attributes["id"] ?? "") }
    if name == "edge" { edges.append([attributes["source"] ?? "", attributes["target"] ?? ""]) }
  }
}
