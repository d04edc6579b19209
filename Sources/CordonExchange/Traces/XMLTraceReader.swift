internal import CordonCore
import CordonSupport

/// A reader of traces in XML, which handles the elements one after the other.
protocol XMLTraceReader: TraceReader {
  /// The name of the format. In lower case, it is the name of the outermost element.
  static var formatName: String { get }

  /// The bytes of the file, and the open elements.
  var source: XMLTraceSource { get set }

  /// Handles a start tag.
  mutating func start(_ element: XMLPullParser.XMLElement)

  /// Handles an end tag.
  /// - Parameters:
  ///   - name: the name of the element.
  ///   - value: the text since the last tag, without white space around it.
  ///   - line: the line of the tag.
  mutating func end(_ name: String, value: String, line: Int)
}

/// The bytes of an XML file, and the elements that are open while it is read.
struct XMLTraceSource {
  fileprivate var document: TraceDocument
  fileprivate let depth: Int
  fileprivate var path: [String] = []

  init(_ options: TraceReadOptions) {
    document = TraceDocument(limit: options.limits.documentBytes)
    depth = options.limits.depth
  }

  /// The name of the innermost open element: while an element ends, its parent.
  var parent: String? { path.last }
}

extension XMLTraceReader {
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(TraceError) { try source.document.append(bytes) }

  /// Reads all elements.
  mutating func readElements() throws(TraceError) {
    var parser = try XMLPullParser(source.document.bytes, maximumDepth: source.depth)
    var text = ""
    while let event = try parser.next() {
      switch event {
      case .start(let element):
        if source.path.isEmpty, element.name != Self.formatName.lowercased() {
          throw TraceError(
            .malformed, "is not \(Self.formatName): it begins with <\(Quotation.of(element.name))>", line: 1)
        }
        source.path.append(element.name)
        text = ""
        start(element)
      case .text(let piece): text += piece
      case .end(let name):
        if !source.path.isEmpty { source.path.removeLast() }
        let value = text.trimmed
        text = ""
        end(name, value: value, line: parser.line)
      }
    }
  }
}
