import CordonCore
import CordonGeometry

/// Something that the runtime knows and the monitor must know too, and from which nothing follows: no effect, no request.
///
/// A report that leads to further effects is a ``Completion``.
enum RuntimeFact {
  /// The numbers of rows that wait for a sink, as the store counts them.
  case queue(QueueSummary)
  /// The store lost rows that it could no longer read when it was opened.
  case unreadable(DeletionCount)
  /// The device has this name now.
  case name(DeviceID)
  /// The secret that proves requests to erase a former name of the device.
  case erasureSecret(String?, of: DeviceID)
  /// A lease ended that no channel of the monitor holds: of a venue that is not the active one.
  case completedLease(removed: Int, quarantined: Int)
  /// Locations were removed that only a sink wanted which may not receive them.
  case misdirected(Int)
  /// Nothing was written of what was counted since these figures.
  case unwritten(since: Accounting)
  /// Old rows could not be deleted.
  case expiryFailed
  /// Another program has the store.
  case superseded
  /// The surroundings of the device, as the monitor knew them that this one replaces.
  case surroundings(Permission, NetworkState, [any VenueGate])
}

extension Monitor {
  /// Takes note of a fact.
  mutating func note(_ fact: RuntimeFact, at now: ClockReading) {
    switch fact {
    case .queue(let queue): restore(queue, at: now)
    case .unreadable(let rows):
      state.accounting.quarantined.decrease(by: rows.quarantined)
      state.accounting.expiredByKey.increase(by: rows.waiting + rows.quarantined)
    case .name(let device): self.device = device
    case .erasureSecret(let secret, let device):
      for index in state.erasures.indices where state.erasures[index].device == device {
        state.erasures[index].secret = secret
      }
    case .completedLease(let removed, let quarantined):
      state.accounting.acknowledged.increase(by: removed)
      state.accounting.quarantined.increase(by: quarantined)
    case .misdirected(let count): state.accounting.erased.increase(by: count)
    case .unwritten(let before): takeBack(to: before)
    case .expiryFailed: expireAgain(now)
    case .superseded:
      phase = .off
      outside = OutsideState(keeping: outside)
    case .surroundings(let permission, let network, let venues):
      self.permission = permission
      self.network = network
      knownVenues = venues
    }
  }

  private mutating func restore(_ queue: QueueSummary, at now: ClockReading) {
    lastMoment = lastMoment ?? now
    guard let index = channels.firstIndex(where: { $0.sink.id == queue.sink }) else { return }
    channels[index].update(queue, at: now, configuration)
    channels[index].isDraining = queue.pending > 0
    nextDue = now.monotonic.milliseconds
  }
}
