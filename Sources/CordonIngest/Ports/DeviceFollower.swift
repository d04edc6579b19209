package import CordonCore

/// The part of a device's data that was erased.
package enum DeviceEnd: Hashable, Sendable {
  /// Everything that all holders of the device brought: its name cannot be used again.
  case device
  /// The data of holders whose time began before `before`, if it was received by `receivedUntil`; `nil` for any time.
  case holders(before: Instant, receivedUntil: Instant? = nil)
}

extension DeviceEnd {
  /// Whether something goes that is about a holder.
  /// - Parameters:
  ///   - holder: the beginning of the holder's time.
  ///   - received: when it was made or received.
  package func covers(holder: Instant, received: Instant) -> Bool {
    switch self {
    case .device: true
    case .holders(let before, let last): holder < before && received <= last ?? received
    }
  }

  /// The limits for a store of tables, in milliseconds: what is about a holder before the first and received up to the second.
  package var limits: (before: Int64, receivedUntil: Int64) {
    switch self {
    case .device: (.max, .max)
    case .holders(let before, let last): (before.milliseconds, last?.milliseconds ?? .max)
    }
  }
}

/// Data about devices outside of the store, such as records of forms: it is erased with the device.
package protocol DeviceFollower: AnyObject {
  /// Erases what a device brought, or what some of its holders brought. Called on the thread of the core, before the device
  /// itself is erased; a failure makes the request fail, so that it is made again.
  func forget(_ device: DeviceID, _ end: DeviceEnd, at time: Instant) throws(StoreFault)
  /// Erases the data of devices and holders that were erased while their data here was not.
  /// - Parameter ends: what of a device was erased.
  func catchUp(at time: Instant, ends: (DeviceID) throws(StoreFault) -> [DeviceEnd]) throws(StoreFault)
}

extension DeviceFollower {
  /// Does nothing, for data that is always erased in time.
  package func catchUp(at time: Instant, ends: (DeviceID) throws(StoreFault) -> [DeviceEnd]) throws(StoreFault) {}
}
