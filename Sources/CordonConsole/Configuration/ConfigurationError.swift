/// An error of a configuration: a file, the environment, or one of their values.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
  package var message: String
  /// The file, or `environment`.
  package var source: String?
  /// The place in the source: the number of a line, or a key such as `sinks[0].url`.
  package var place: String?

  package init(_ message: String, source: String? = nil, place: String? = nil) {
    self.message = message
    self.source = source
    self.place = place
  }

  /// `FILE:LINE: MESSAGE`
  package var description: String {
    ([source, place].compactMap { $0 }.joined(separator: ":").nilIfEmpty.map { $0 + ": " } ?? "") + message
  }
}

extension String {
  fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
