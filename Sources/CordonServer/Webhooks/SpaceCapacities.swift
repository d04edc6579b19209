package import CordonCore
internal import CordonIngest
internal import Foundation

/// The capacities of spaces: the largest numbers of devices that are in order.
package struct SpaceCapacities: Hashable, Sendable {
  /// The capacities by venue and space.
  package private(set) var capacities: [VenueID: [SpaceID: Int64]] = [:]

  /// The reason why a file cannot be used.
  package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// File, line and problem.
    package var description: String
  }

  /// No capacities.
  package init() {}

  /// Reads lines of `VENUE,SPACE,CAPACITY`. Empty lines and lines that begin with # are ignored; a space may contain commas.
  package init(_ text: String, file: String) throws(Fault) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      func fault(_ message: String) -> Fault { Fault(description: "\(file):\(index + 1): \(message)") }
      guard let first = line.firstIndex(of: ","), let last = line.lastIndex(of: ","), first < last else {
        throw fault("a line is 'VENUE,SPACE,CAPACITY', or begins with #")
      }
      let parts = [line[..<first], line[line.index(after: first)..<last], line[line.index(after: last)...]]
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard let venue = VenueID(parts[0]) else { throw fault("'\(parts[0].prefix(64))' is not a venue") }
      guard !parts[1].isEmpty else { throw fault("the space is missing") }
      let space = SpaceID(parts[1])
      guard let capacity = Int64(parts[2]), (1...1_000_000).contains(capacity) else {
        throw fault("'\(parts[2].prefix(64))' is not a capacity from 1 to 1000000")
      }
      guard capacities[venue, default: [:]].updateValue(capacity, forKey: space) == nil else {
        throw fault("the space is listed twice")
      }
    }
  }

  /// Reads a file.
  package init(path: String) throws(Fault) {
    guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8) else {
      throw Fault(description: "\(path): cannot be read")
    }
    try self.init(text, file: path)
  }
}
