/// A model of the battery use of sensing and sending, with which policies can be compared.
///
/// The figures are round numbers in the range that the literature on energy-aware positioning gives. A positioning
/// sensor draws about 100 mW while it is on, and one radio exchange costs about a joule with its tail. They are not
/// measurements of a particular phone. Only the difference of two runs with the same model is meaningful.
public struct EnergyModel: Hashable, Sendable {
  /// Energy of a full battery, in watt-hours.
  public var batteryWattHours = 15.0
  /// Power while the app monitors, in milliwatts: geofence and motion sensors.
  public var baseMilliwatts = 3.0
  /// Additional power while positioning is on, in milliwatts. ``PhoneSetup/energyInUse`` has the value of the preset's
  /// sensors.
  public var positioningMilliwatts = 90.0
  /// Additional energy for each fix, in millijoules.
  public var fixMillijoules = 20.0
  /// Energy for each request, including the wake-up and the tail of the radio, in millijoules.
  public var requestMillijoules = 900.0
  /// Energy for each byte sent, in microjoules.
  public var byteMicrojoules = 6.0

  /// Creates a model with the default figures.
  public init() {}

  /// Returns the energy that a phone used, in joules.
  func joules(_ use: EnergyUse) -> Double {
    use.monitoredSeconds * baseMilliwatts / 1e3 + use.positioningSeconds * positioningMilliwatts / 1e3
      + Double(use.fixes) * fixMillijoules / 1e3 + Double(use.requests) * requestMillijoules / 1e3
      + Double(use.bytes) * byteMicrojoules / 1e6
  }

  /// Returns the share of a full battery, in percent.
  package func percent(joules: Double) -> Double { joules / (batteryWattHours * 36) }
}

/// The activities of a phone that use energy.
struct EnergyUse: Hashable, Sendable {
  var monitoredSeconds = 0.0
  var positioningSeconds = 0.0
  var fixes = 0
  var requests = 0
  var bytes = 0
}

extension PhonePreset {
  /// Power of a positioning system's sensors while they are on, in milliwatts; round numbers of each kind.
  public var positioningMilliwatts: Double {
    switch self {
    case .perfect, .wifi: 90
    case .rtt, .rttSight, .rttBehindWalls, .rttWalking: 110
    case .uwb: 100
    case .ble, .bleSparse: 35
    case .gpsNear, .gps: 160
    case .network: 15
    }
  }
}
