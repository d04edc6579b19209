/// What sensing and sending cost a phone's battery: a stated model, so that policies can be compared.
///
/// The figures are round numbers of the orders that the literature on energy-aware positioning gives (a positioning
/// sensor draws some 100 mW while on, one radio exchange costs about a joule with its tail); they are not measurements
/// of a certain phone. What is compared is the difference between two runs under the same model.
public struct EnergyModel: Hashable, Sendable {
  /// Energy of a full battery, watt-hours.
  public var batteryWattHours = 15.0
  /// Always, while the app monitors: geofence and motion sensors, milliwatts.
  public var baseMilliwatts = 3.0
  /// More while positioning is on, milliwatts; ``PhoneSetup/energyInUse`` has that of the preset's sensors.
  public var positioningMilliwatts = 90.0
  /// More for each fix, millijoules.
  public var fixMillijoules = 20.0
  /// For each request, with waking the radio and its tail, millijoules.
  public var requestMillijoules = 900.0
  /// For each byte sent, microjoules.
  public var byteMicrojoules = 6.0

  /// The round numbers.
  public init() {}

  /// Joules that a phone used.
  func joules(_ use: EnergyUse) -> Double {
    use.monitoredSeconds * baseMilliwatts / 1e3 + use.positioningSeconds * positioningMilliwatts / 1e3
      + Double(use.fixes) * fixMillijoules / 1e3 + Double(use.requests) * requestMillijoules / 1e3
      + Double(use.bytes) * byteMicrojoules / 1e6
  }

  /// Percent of a full battery.
  func percent(joules: Double) -> Double { joules / (batteryWattHours * 36) }
}

/// What a phone did that costs energy.
struct EnergyUse: Hashable, Sendable {
  var monitoredSeconds = 0.0
  var positioningSeconds = 0.0
  var fixes = 0
  var requests = 0
  var bytes = 0
}

extension PhonePreset {
  /// Milliwatts that the sensors of a positioning system draw while it is on: round numbers of its kind.
  public var positioningMilliwatts: Double {
    switch self {
    case .perfect, .wifi: 90
    case .rtt, .rttSight, .rttBehindWalls, .rttWalking: 110
    case .ble, .bleSparse: 35
    case .gpsNear, .gps: 160
    case .network: 15
    }
  }
}
