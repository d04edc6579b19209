package import CordonCore
import CordonSupport
import CordonWire

/// The person's decisions about types of data on this device, with the text and the time, and whether the platform has them.
///
/// A revocation takes effect on the device first: sinks of the type stop and their queues are removed, whether or not the
/// platform can be reached. It is reported until the platform confirms it.
package struct ConsentLedger: Hashable, Sendable {
  /// A decision about one type of data at one platform.
  package struct Entry: Hashable, Sendable {
    /// The number of the sink.
    package var sink: UInt8
    /// The type of data.
    package var type: FHIRDataType
    /// Whether the person granted it.
    package var isGranted: Bool
    /// The text that the person read: the studies and what they ask for.
    package var text: String
    /// The time of the decision.
    package var time: Instant
    /// Whether the platform confirmed the decision.
    package var isConfirmed: Bool

    /// Makes a decision from its parts.
    package init(
      sink: UInt8, type: FHIRDataType, isGranted: Bool, text: String, time: Instant, isConfirmed: Bool
    ) {
      self.sink = sink
      self.type = type
      self.isGranted = isGranted
      self.text = text
      self.time = time
      self.isConfirmed = isConfirmed
    }
  }

  /// The decisions, by the number of the sink.
  package private(set) var entries: [Entry] = []

  /// Makes an empty ledger.
  package init() {}

  /// Records a decision; it replaces the former one of the sink.
  package mutating func record(_ entry: Entry) {
    entries.removeAll { $0.sink == entry.sink }
    entries.append(entry)
    entries.sort { $0.sink < $1.sink }
  }

  /// Records that the platform confirmed a decision. A later decision is not confirmed by that.
  package mutating func confirm(_ entry: Entry) {
    guard let index = entries.firstIndex(of: entry) else { return }
    entries[index].isConfirmed = true
  }

  /// Returns the decision about a sink; `nil` without one.
  package func entry(of sink: UInt8) -> Entry? { entries.first { $0.sink == sink } }

  /// Whether a sink must not receive anything, because the person revoked its type of data.
  package func isRevoked(_ sink: UInt8) -> Bool { entry(of: sink)?.isGranted == false }

  /// The bytes of the ledger.
  package func encoded() -> [UInt8] {
    let list = entries.map { entry -> JSONValue in
      [
        "sink": .integer(Int64(entry.sink)), "type": .string(entry.type.rawValue), "granted": .bool(entry.isGranted),
        "text": .string(entry.text), "time": .string(entry.time.rfc3339), "confirmed": .bool(entry.isConfirmed),
      ]
    }
    return Array((JSONValue.object([.init("consents", .array(list))]).text(pretty: true) + "\n").utf8)
  }

  /// Reads the bytes of a ledger.
  /// - Throws: an error that names the entry. A damaged ledger is not an empty one: a revoked sink would start again.
  package init(decoding bytes: [UInt8]) throws(FHIRError) {
    guard let value = try? JSONReader.value(of: bytes), let list = value["consents"]?.elements else {
      throw FHIRError("consents", "is not a list of decisions")
    }
    for (index, entry) in list.enumerated() {
      guard let sink = entry["sink"]?.integerValue.flatMap(UInt8.init(exactly:)),
        let type = entry["type"]?.stringValue.flatMap(FHIRDataType.init(rawValue:)),
        case .bool(let isGranted)? = entry["granted"], case .bool(let isConfirmed)? = entry["confirmed"],
        let time = entry["time"]?.stringValue.flatMap({ try? Instant(rfc3339: $0) })
      else { throw FHIRError("consents[\(index)]", "is not a decision") }
      record(
        Entry(
          sink: sink, type: type, isGranted: isGranted, text: entry["text"]?.stringValue ?? "", time: time,
          isConfirmed: isConfirmed))
    }
  }
}
