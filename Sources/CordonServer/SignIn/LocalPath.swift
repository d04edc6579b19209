/// Paths of this server that a request names as the next page.
enum LocalPath {
  /// Returns a path if it certainly leads to this server; otherwise the start page.
  ///
  /// `//host` and `/\host` lead to other hosts, and a control character would end the header field.
  static func checked(_ text: String?) -> String {
    guard let text, text.utf8.count <= 512, text.hasPrefix("/"), !text.hasPrefix("//"),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return text
  }
}
