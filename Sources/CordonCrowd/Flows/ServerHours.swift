/// The working hours of one server.
package struct ServerHours: Hashable, Sendable {
  /// The spans of work in milliseconds since 1970, in ascending order; `nil` for a server who always works.
  private let spans: [Range<Int64>]?

  /// The hours of a server who always works.
  package static let always = ServerHours(nil)

  /// Creates hours from spans of work, which are sorted; `nil` for a server who always works.
  package init(_ spans: [Range<Int64>]?) { self.spans = spans?.sorted { $0.lowerBound < $1.lowerBound } }

  /// Checks whether the server works at a time.
  package func contains(_ time: Int64) -> Bool { spans?.contains { $0.contains(time) } ?? true }

  /// Checks whether the server works at a time or later.
  package func opens(from time: Int64) -> Bool { spans?.contains { $0.upperBound > time } ?? true }

  /// Returns the next time after `time` at which work begins; `nil` if there is none.
  package func nextOpening(after time: Int64) -> Int64? { spans?.lazy.map(\.lowerBound).first { $0 > time } }

  /// The times at which work begins or ends.
  package var changes: [Int64] { spans?.flatMap { [$0.lowerBound, $0.upperBound] } ?? [] }
}
