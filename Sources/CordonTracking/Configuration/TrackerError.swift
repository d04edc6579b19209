/// An error of a tracker with a message and a place.
package struct TrackerError: Error, Hashable, CustomStringConvertible {
  /// A stable name, such as `bad-configuration`.
  package var code: String
  package var message: String
  package var file: String?
  /// The place in the file: `sinks[0].url`, `line 3`.
  package var place: String?

  package init(_ code: String, _ message: String, file: String? = nil, place: String? = nil) {
    self.code = code
    self.message = message
    self.file = file
    self.place = place.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The error on one line, `FILE: MESSAGE (PLACE)`.
  package var description: String { (file.map { "\($0): " } ?? "") + message + (place.map { " (\($0))" } ?? "") }
}
