/// Counts in sentences.
package enum Counted {
  /// `1 device`, `2 devices`, `0 entries`.
  /// - Parameter plural: where it is not the singular with an s.
  package static func of(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(word(count, singular, plural))"
  }

  /// The word for a count alone.
  package static func word(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    count == 1 ? singular : plural ?? singular + "s"
  }
}
