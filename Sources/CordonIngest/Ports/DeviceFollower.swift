package import CordonCore

/// Data about devices outside of the store, such as records of forms: it is erased with the device.
package protocol DeviceFollower: AnyObject {
  /// Erases what a device brought. Called on the thread of the core, before the device itself is erased; a failure makes the
  /// request fail, so that it is made again.
  func forget(_ device: DeviceID, at time: Instant) throws(StoreFault)
}
