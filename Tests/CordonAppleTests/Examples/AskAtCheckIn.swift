import Cordon
import Foundation

func askAtCheckIn(monitor: ContactMonitor, show: @Sendable (URL) async -> Void) async {
  var isAsked = false
  for await case .phase(let phase) in monitor.notices {
    if phase == .armed { isAsked = false }
    guard phase == .tracking, !isAsked, let form = await monitor.checkInForm() else { continue }
    isAsked = true
    await show(form)
  }
}
