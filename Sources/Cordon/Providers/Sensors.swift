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
  /// Whether the person turned on the system's power saving.
  public var savesPower: Bool

  /// Makes a state.
  public init(level: Double?, isExternal: Bool, savesPower: Bool = false) {
    self.level = level
    self.isExternal = isExternal
    self.savesPower = savesPower
  }
}

/// A ``ContactMonitor``'s additional sensors. All are optional: without motion, the monitor judges stillness by
/// fixes; without connectivity, it tries to send.
public struct Sensors: Sendable {
  /// The sensor of motion.
  public var motion: (any MotionProvider)?
  /// The sensor of the floor.
  public var floor: (any FloorProvider)?
  /// The sensor of the network.
  public var connectivity: (any Connectivity)?
  /// The sensor of power. When external power is connected, the queue is sent.
  public var power: (any PowerProvider)?

  /// Makes a set of sensors, by default none.
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
