import Yams

/// Where a value is written in a YAML file.
struct YAMLSource: Hashable, Sendable {
  /// Counted from 1.
  var line: Int
  /// Counted from 1, in Unicode scalars.
  var column: Int
  /// The text of a scalar, without quotes; `nil` for lists.
  var text: String?

  init?(_ node: Node) {
    guard let mark = node.mark else { return nil }
    (line, column, text) = (mark.line, mark.column, node.scalar?.string)
  }
}

/// The text of a YAML file, for changes that leave everything else as it is written.
///
/// It knows plain and quoted scalars on one line, and lists of them in both styles. An entry that it cannot find is `nil`, and a change
/// is to be checked by reading the result.
struct YAMLText {
  /// A change: this range becomes that text.
  struct Edit {
    var range: Range<Int>
    var text: String
  }

  private let scalars: [Unicode.Scalar]
  private let lineStarts: [Int]
  private let lineBreak: String

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var starts = [0]
    for index in scalars.indices where YAMLText.isBreak(scalars[index]) {
      // One break, not two.
      if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { continue }
      starts.append(index + 1)
    }
    lineStarts = starts
    lineBreak = text.contains("\r\n") ? "\r\n" : "\n"
  }

  /// The text with changes, which do not overlap.
  func applying(_ edits: [Edit]) -> String {
    var result = scalars
    // From the end; what is put where something is taken away comes before it.
    let order = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        > ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }
    for (_, edit) in order { result.replaceSubrange(edit.range, with: edit.text.unicodeScalars) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: result)
    return String(text)
  }

  /// A scalar becomes another text.
  func replacing(_ source: YAMLSource, with text: String) -> [Edit]? {
    scalarRange(source, isFlow: true).map { [Edit(range: $0, text: text)] }
  }

  /// A list becomes another one: elements that stay keep their text, their place and the comments beside them.
  /// - Parameter alignment: of the elements with what they become.
  func replacing(_ list: YAMLSource, _ elements: [YAMLSource], by alignment: [ListAlignment.Step]) -> [Edit]? {
    guard let start = offset(list), start < scalars.count else { return nil }
    let isFlow = scalars[start] == "["
    guard isFlow || scalars[start] == "-" else { return nil }
    var ranges: [Range<Int>] = []
    for element in elements {
      guard let range = scalarRange(element, isFlow: isFlow) else { return nil }
      ranges.append(range)
    }
    return isFlow ? flow(start, ranges, alignment) : block(elements, ranges, alignment)
  }

  private func flow(_ start: Int, _ ranges: [Range<Int>], _ alignment: [ListAlignment.Step]) -> [Edit] {
    var edits: [Edit] = []
    // Those at the end take the comma before them along.
    let kept = alignment.last(where: \.isKept).flatMap(\.old)
    let tail = ranges.indices.filter { $0 > (kept ?? -1) }
    let isEmptied = kept == nil
    var last: Int?
    var inserted: [String] = []
    for step in alignment {
      switch step {
      case .keep(let old): last = old
      case .replace(let old, let text):
        edits.append(Edit(range: ranges[old], text: text))
        last = old
      case .delete(let old):
        if !tail.contains(old) {
          edits.append(Edit(range: ranges[old].lowerBound..<ranges[old + 1].lowerBound, text: ""))
        }
      case .insert(let text):
        if let last {
          edits.append(Edit(range: ranges[last].upperBound..<ranges[last].upperBound, text: ", " + text))
        } else if let first = ranges.first, !isEmptied {
          edits.append(Edit(range: first.lowerBound..<first.lowerBound, text: text + ", "))
        } else {
          inserted.append(text)
        }
      }
    }
    if let first = tail.first, let end = tail.last {
      let from = kept.map { ranges[$0].upperBound } ?? ranges[first].lowerBound
      edits.append(Edit(range: from..<ranges[end].upperBound, text: inserted.joined(separator: ", ")))
    } else if !inserted.isEmpty {
      edits.append(Edit(range: start + 1..<start + 1, text: inserted.joined(separator: ", ")))
    }
    return edits
  }

  private func block(_ elements: [YAMLSource], _ ranges: [Range<Int>], _ alignment: [ListAlignment.Step]) -> [Edit] {
    var edits: [Edit] = []
    func prefix(_ index: Int) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[lineStarts[elements[index].line - 1]..<ranges[index].lowerBound])
      return String(text)
    }
    let isEmptied = !alignment.contains { $0.isKept }
    var last: Int?
    for step in alignment {
      switch step {
      case .keep(let old): last = old
      case .replace(let old, let text):
        edits.append(Edit(range: ranges[old], text: text))
        last = old
      case .delete(0) where isEmptied:
        // A list needs to stay; two columns further in, so that it is not taken for a key.
        let indent = prefix(0).prefix { $0 == " " }.count
        edits.append(Edit(range: lineStarts[elements[0].line - 1] + indent..<ranges[0].upperBound, text: "  []"))
      case .delete(let old):
        edits.append(
          Edit(range: lineStarts[elements[old].line - 1]..<end(ofLine: elements[old].line, isWhole: true), text: ""))
      case .insert(let text):
        if let last {
          let end = end(ofLine: elements[last].line, isWhole: false)
          edits.append(Edit(range: end..<end, text: lineBreak + prefix(last) + text))
        } else {
          let start = lineStarts[elements[0].line - 1]
          edits.append(Edit(range: start..<start, text: prefix(0) + text + lineBreak))
        }
      }
    }
    return edits
  }

  private func offset(_ source: YAMLSource) -> Int? {
    guard lineStarts.indices.contains(source.line - 1) else { return nil }
    let offset = lineStarts[source.line - 1] + source.column - 1
    return offset <= scalars.count ? offset : nil
  }

  private func end(ofLine line: Int, isWhole: Bool) -> Int {
    let next = lineStarts.indices.contains(line) ? lineStarts[line] : scalars.count
    if isWhole { return next }
    var end = next
    while end > lineStarts[line - 1], YAMLText.isBreak(scalars[end - 1]) { end -= 1 }
    return end
  }

  /// The range of a scalar with its quotes.
  private func scalarRange(_ source: YAMLSource, isFlow: Bool) -> Range<Int>? {
    guard let start = offset(source), start < scalars.count, let text = source.text else { return nil }
    let end = end(ofLine: source.line, isWhole: false)
    guard start < end else { return nil }
    var index = start + 1
    switch scalars[start] {
    case "\"":
      while index < end, scalars[index] != "\"" { index += scalars[index] == "\\" ? 2 : 1 }
      return index < end ? start..<index + 1 : nil
    case "'":
      while index < end {
        if scalars[index] == "'" {
          guard index + 1 < end, scalars[index + 1] == "'" else { return start..<index + 1 }
          index += 1
        }
        index += 1
      }
      return nil
    default:
      index = start
      while index < end {
        let scalar = scalars[index]
        if isFlow, scalar == "," || scalar == "]" || scalar == "}" { break }
        if scalar == "#", index > start, scalars[index - 1] == " " || scalars[index - 1] == "\t" { break }
        index += 1
      }
      while index > start, scalars[index - 1] == " " || scalars[index - 1] == "\t" { index -= 1 }
      // A tag, an anchor or an alias stands before the text, or in its place.
      return Array(text.unicodeScalars) == Array(scalars[start..<index]) ? start..<index : nil
    }
  }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}

/// How one list becomes another with few changes.
enum ListAlignment {
  /// What happens to an element, in order.
  enum Step: Hashable {
    case keep(Int)
    case replace(Int, String)
    case delete(Int)
    case insert(String)

    /// Whether an element is there afterwards.
    var isKept: Bool {
      switch self {
      case .keep, .replace: true
      case .delete, .insert: false
      }
    }

    /// The element of the old list.
    var old: Int? {
      switch self {
      case .keep(let old), .replace(let old, _), .delete(let old): old
      case .insert: nil
      }
    }
  }

  /// The steps from `count` old elements to new ones: most stay, by the longest common subsequence.
  /// - Parameters:
  ///   - texts: the new elements as they are written.
  ///   - matches: whether an old element can stand for a new one.
  static func steps(from count: Int, to texts: [String], matches: (Int, Int) -> Bool) -> [Step] {
    let pairs = pairs(count, texts.count, matches)
    var steps: [Step] = []
    var (old, new) = (0, 0)
    for pair in pairs + [(count, texts.count)] {
      while old < pair.0, new < pair.1 {
        steps.append(.replace(old, texts[new]))
        (old, new) = (old + 1, new + 1)
      }
      while old < pair.0 {
        steps.append(.delete(old))
        old += 1
      }
      while new < pair.1 {
        steps.append(.insert(texts[new]))
        new += 1
      }
      if pair.0 < count { steps.append(.keep(pair.0)) }
      (old, new) = (pair.0 + 1, pair.1 + 1)
    }
    return steps
  }

  private static func pairs(_ old: Int, _ new: Int, _ matches: (Int, Int) -> Bool) -> [(Int, Int)] {
    // Long lists are compared element by element.
    guard old > 0, new > 0 else { return [] }
    guard old * new <= 1_000_000 else {
      return (0..<min(old, new)).filter { matches($0, $0) }.map { ($0, $0) }
    }
    var lengths = [[Int]](repeating: [Int](repeating: 0, count: new + 1), count: old + 1)
    for i in stride(from: old - 1, through: 0, by: -1) {
      for j in stride(from: new - 1, through: 0, by: -1) {
        lengths[i][j] =
          matches(i, j) ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < old, j < new {
      if matches(i, j) {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if lengths[i + 1][j] >= lengths[i][j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
