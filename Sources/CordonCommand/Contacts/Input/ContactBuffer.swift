import CordonCommandLine
import CordonContacts

/// Keeps contacts in memory for those who add them up, as long as there is room.
struct ContactBuffer: ContactSink {
  let room: MemoryBudget
  var contacts: [Contact] = []

  /// False: they are sorted when all are there.
  var needsOrder: Bool { false }

  init(room: MemoryBudget) { self.room = room }

  mutating func receive(_ more: [Contact]) throws(any Error) {
    try room.take(more.count)
    contacts += more
  }
}

/// The memory that is left for contacts.
final class MemoryBudget {
  /// In a list that grows, and once more in order of pairs.
  private static let bytesPerContact = 2.5 * Double(MemoryLayout<Contact>.stride)

  private let file: String
  private let free = FreeMemory.bytes
  private var count = 0

  /// All that is free now.
  init(file: String) { self.file = file }

  /// Reserves memory for `more` further contacts.
  /// - Throws: ``CommandError`` when there is too little.
  func take(_ more: Int) throws {
    count += more
    let needed = Double(count) * MemoryBudget.bytesPerContact
    guard let free, needed > free * 0.9 else { return }
    throw CommandError(
      """
      there are more than \(count) contacts, which need about \(MemoryForecast.shown(needed)) of memory, and \
      \(MemoryForecast.shown(free)) were free; split the input by day, or give a smaller --distance
      """, code: "too-large", file: file)
  }
}
