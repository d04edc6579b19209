import CordonMonitoring

extension ContactMonitor {
  /// Reports that a trip began or ended. Outside of venues positioning is on during a trip, whatever the mode of the
  /// policy; it still needs the consent to `Consent.Purposes.everywhere`, and ends with it.
  public func noteTrip(isInProgress: Bool) { handle(.trip(isInProgress: isInProgress)) }
}
