package import CordonCore

/// An erasure that another server has to finish: its data folder has records of the device, which the shared store does not have.
package struct NotedErasure: Hashable, Sendable {
  /// The number of the note.
  package var number: Int64
  /// The device.
  package var device: DeviceID
  /// The part of its data that was erased.
  package var end: DeviceEnd

  /// Takes the values as they are.
  package init(number: Int64, device: DeviceID, end: DeviceEnd) {
    self.number = number
    self.device = device
    self.end = end
  }
}

/// Notes of erasures between servers that write to the same store.
///
/// The server that erases a device notes that in the same transaction. The server whose data folder has records of devices
/// erases them and then removes the note, also when nobody asks again. Until then no server confirms the erasure.
package protocol ErasureNotes: AnyObject {
  /// Notes an erasure; does nothing unless another server has records of devices. Belongs into the transaction that erases.
  func noteErasure(of device: DeviceID, _ end: DeviceEnd) throws(StoreFault)
  /// Whether a server still has to erase records of a device.
  func isErasureOpen(of device: DeviceID) throws(StoreFault) -> Bool
  /// The erasures that this server has to finish, oldest first; none on a server without such records.
  func openErasures(limit: Int) throws(StoreFault) -> [NotedErasure]
  /// Removes the note of an erasure that is finished.
  func removeErasure(_ number: Int64) throws(StoreFault)
}

/// The receipt of an erasure that another server has not finished yet.
package struct HeldReceipt: Hashable, Sendable {
  /// The device.
  package var device: DeviceID
  /// When it was erased from the store.
  package var time: Instant
  /// The number of erased locations.
  package var locations: Int64
}
