package import CordonCore

/// Deletes messages that concern a device from a queue when the device is erased. It has a connection to the queue of its own.
package final class WebhookErasure: DeviceFollower {
  private let queue: any WebhookQueue

  /// Erases in a queue.
  package init(_ queue: any WebhookQueue) { self.queue = queue }

  /// See ``DeviceFollower/forget(_:_:at:)``.
  package func forget(_ device: DeviceID, _ end: DeviceEnd, at time: Instant) throws(StoreFault) {
    var limit: Instant?
    if case .holders(let before, _) = end { limit = before }
    do throws(WebhookQueueFault) {
      try queue.forget(device, before: limit)
    } catch {
      throw StoreFault(.failed, "webhook queue: \(error)")
    }
  }
}
