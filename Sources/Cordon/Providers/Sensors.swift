public import CordonCore
public import CordonMonitoring

/// A motion sensor.
public protocol MotionProvider: Sendable {
  /// Changes between stillness and motion. The first element is the current state.
  func motions() -> AsyncStream<Motion>
}

/// A source of the floor for location providers without one: beacons, Wi-Fi zones, a barometer.
public protocol FloorProvider: Sendable {
  /// The floor, at each change; `nil` when it becomes unknown.
  func floors() -> AsyncStream<FloorOrdinal?>
}

/// A sensor of the network connection.
public protocol Connectivity: Sendable {
  /// Changes of the network. The first element is the current state.
  func networks() -> AsyncStream<NetworkState>
}

/// A sensor of the device's power state.
public protocol PowerProvider: Sendable {
  /// Changes of the power state. The first element is the current state.
  func powers() -> AsyncStream<PowerState>
}

/// The power state of a device.
public struct PowerState: Hashable, Sendable {
  /// The charge, 0 ... 1; `nil` when unknown.
  public var level: Double?
  /// Whether the device runs on external power.
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
