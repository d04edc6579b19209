internal import CordonContacts
internal import CordonCore
import CordonSupport

/// Indirect contacts of a case: whom its exposures met afterwards, generation by generation.
///
/// A device is in the tree once, at the earliest time at which it can have been reached. A contact counts when it begins
/// after the one that reached its first device, and lasts at least the threshold of the case.
struct TreeQuery: Sendable {
  var record: CaseRecord
  var index: StoredDevice
  /// 1 for the exposures themselves.
  var generations: Int

  /// The devices that a tree has at most.
  static let maximumDevices = 2_000
  private static let maximumContacts = 20_000

  private struct Reached {
    var device: Int64
    var parent: Int64?
    var generation: Int
    /// Microseconds: from when on the device can pass it on.
    var time: Int64
    var contact: Contact?
  }

  func answer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    guard let place = try store.venues().first(where: { $0.id == record.venue }) else {
      return .json(200, ["devices": [], "is_complete": true])
    }
    let window = record.span(of: index)
    let end = window.upperBound
    var reached: [Int64: Reached] = [
      index.number: Reached(device: index.number, parent: nil, generation: 0, time: window.lowerBound, contact: nil)
    ]
    var order = [index.number]
    var last = [index.number]
    var names = DeviceNames(store)
    var isComplete = true
    for generation in 1...generations {
      var next: [Int64] = []
      for device in last {
        guard let known = reached[device] else { continue }
        var selection = ContactSelection(
          venue: place.number, device: device, span: known.time...max(end, known.time), limit: Self.maximumContacts)
        selection.minimumDuration = record.thresholdMinutes * 60_000_000
        // Contacts after a device was handed on are those of its next holder.
        let id = DeviceID(try names[Int32(truncatingIfNeeded: device)])
        let handedOn = try id.flatMap { (id) throws(StoreFault) in try store.device(id)?.heldSince?.milliseconds }
        let held = handedOn.map { $0 * 1_000 > known.time ? $0 * 1_000 : Int64.max } ?? Int64.max
        for contact in try store.contacts(selection) where contact.start >= known.time && contact.start < held {
          let other = Int64(Int64(contact.first) == device ? contact.second : contact.first)
          guard reached[other] == nil else { continue }
          guard reached.count < Self.maximumDevices else {
            isComplete = false
            break
          }
          reached[other] = Reached(
            device: other, parent: device, generation: generation, time: contact.start, contact: contact)
          order.append(other)
          next.append(other)
        }
      }
      last = next
    }
    var list: [JSONValue] = []
    for device in order {
      guard let entry = reached[device] else { continue }
      let parent = try entry.parent.map { (number) throws(StoreFault) in try names[Int32(truncatingIfNeeded: number)] }
      list.append([
        "device": .string(try names[Int32(truncatingIfNeeded: device)]), "parent": JSONValue(parent),
        "generation": JSONValue(entry.generation),
        "start": entry.contact.map { .integer($0.start / 1_000) } ?? .null,
        "duration_s": JSONValue(entry.contact.map { Double($0.duration) / 1e6 }),
        "minimum_distance_m": JSONValue(entry.contact.map { ($0.minimumDistance * 1e3).rounded() / 1e3 }),
      ])
    }
    return .json(200, ["devices": .array(list), "is_complete": .bool(isComplete)])
  }
}
