extension Unicode.Scalar {
  /// Whether a terminal or a page interprets the character instead of showing it: control characters (C0, DEL, C1),
  /// and those that set, override or isolate the direction of text.
  package var controlsTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// Returns the text with every character that a terminal interprets written as `\u{1b}`.
  ///
  /// - Parameter keepingLines: whether line ends and tabs stay: for a text of several lines, not for a name.
  package func escapedForTerminal(keepingLines: Bool = false) -> String {
    guard unicodeScalars.contains(where: \.controlsTerminal) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if !scalar.controlsTerminal || (keepingLines && (scalar == "\n" || scalar == "\t")) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return text
  }
}
