public import CordonCore
public import CordonMonitoring

/// Something that knows whether the device moves.
public protocol MotionProvider: Sendable {
  /// Changes from stillness to motion and back. The first element says how things stand.
  func motions() -> AsyncStream<Motion>
}

/// Something that knows the floor where the location provider does not: beacons, Wi-Fi zones, a barometer.
public protocol FloorProvider: Sendable {
  /// The floor, each time it changes; `nil` when it is no longer known.
  func floors() -> AsyncStream<FloorOrdinal?>
}

/// Something that knows what kind of network there is.
public protocol Connectivity: Sendable {
  /// Changes of the network. The first element says how things stand.
  func networks() -> AsyncStream<NetworkState>
}

/// Something that knows how the device is powered.
public protocol PowerProvider: Sendable {
  /// Changes of the power. The first element says how things stand.
  func powers() -> AsyncStream<PowerState>
}

/// How a device is powered.
public struct PowerState: Hashable, Sendable {
  /// The charge, 0 ... 1; `nil` when it is not known.
  public var level: Double?
  /// Whether it runs on outside power.
  public var isExternal: Bool
  /// Whether the person asked the system to save power.
  public var savesPower: Bool

  /// A state.
  public init(level: Double?, isExternal: Bool, savesPower: Bool = false) {
    self.level = level
    self.isExternal = isExternal
    self.savesPower = savesPower
  }
}

/// What a ``ContactMonitor`` may listen to besides its location provider. Nothing of it is required: without motion the
/// monitor judges stillness by fixes, without connectivity it tries.
public struct Sensors: Sendable {
  /// Whether the device moves.
  public var motion: (any MotionProvider)?
  /// On which floor it is.
  public var floor: (any FloorProvider)?
  /// What kind of network there is.
  public var connectivity: (any Connectivity)?
  /// How it is powered. When outside power comes, what waits is sent.
  public var power: (any PowerProvider)?

  /// By default none.
  public init(
    motion: (any MotionProvider)? = nil, floor: (any FloorProvider)? = nil, connectivity: (any Connectivity)? = nil,
    power: (any PowerProvider)? = nil
  ) {
    self.motion = motion
    self.floor = floor
    self.connectivity = connectivity
    self.power = power
  }
}
