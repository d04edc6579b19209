import CordonCore
import CordonSupport
import Testing

@testable import CordonExchange

@Suite("Escaped text of XML and HTML") struct MarkupTextTests {
  /// Scalars that change the meaning of markup, that XML forbids or changes, or that join the character before them.
  private static let scalars: [Unicode.Scalar] = [
    "&", "<", ">", "\"", "'", ";", "#", "a", "3", " ", "\t", "\n", "\r", "\u{0}", "\u{1}", "\u{B}", "\u{1F}", "\u{7F}",
    "\u{85}", "\u{301}", "\u{200D}", "\u{2028}", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{F8FF}", "é", "語", "🚪",
    "\u{10FFFF}",
  ]

  private static func text(_ number: UInt64) -> String {
    var random = RandomStream(seed: 11, stream: 1, entity: number)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &random) { text.append(scalars.randomElement(using: &random)!) }
    return String(text)
  }

  /// The text without the characters that XML 1.0 cannot express.
  private static func expressible(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.value {
          case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: scalar
          default: "\u{FFFD}"
          }
        }))
  }

  @Test func isNeverMarkup() {
    for number in 0..<4_000 as Range<UInt64> {
      let text = Self.text(number)
      let escaped = MarkupText.escaped(text)
      #expect(
        !escaped.unicodeScalars.contains { "<>\"'\t\n\r".unicodeScalars.contains($0) }, "\(text.debugDescription)")
      #expect(escaped == Self.expressible(escaped), "\(text.debugDescription)")
    }
  }

  @Test func isReadBackByAParser() throws {
    for number in 0..<4_000 as Range<UInt64> {
      let text = Self.text(number)
      let escaped = MarkupText.escaped(text)
      var parser = try XMLPullParser(Array("<a b=\"\(escaped)\" c='\(escaped)'>\(escaped)</a>".utf8), maximumDepth: 4)
      var content = ""
      var values: [String] = []
      while let event = try parser.next() {
        switch event {
        case .start(let element): values = element.attributes.map(\.value)
        case .text(let piece): content += piece
        case .end: break
        }
      }
      let expected = Array(Self.expressible(text).unicodeScalars)
      #expect(Array(content.unicodeScalars) == expected, "\(text.debugDescription)")
      #expect(values.map { Array($0.unicodeScalars) } == [expected, expected], "\(text.debugDescription)")
    }
  }

  @Test func leavesTextThatNeedsNothingUnchanged() {
    #expect(MarkupText.escaped("Lobby 2 · 北口") == "Lobby 2 · 北口")
    #expect(MarkupText.escaped("R&D <\"x\"> 'y'\n\u{1}") == "R&amp;D &lt;&quot;x&quot;&gt; &#39;y&#39;&#10;\u{FFFD}")
  }
}
