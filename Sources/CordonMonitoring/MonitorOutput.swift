/// What a step asks of the world. Reuse one for many steps, and for many runtimes.
public struct MonitorOutput: Sendable {
  /// Messages to carry.
  public var requests: [SinkRequest] = []
  /// What the operating system is asked for.
  public var commands: [ProviderCommand] = []
  /// What the app may want to know.
  public var notices: [MonitorNotice] = []
  package var effects = EffectBuffer()

  /// Nothing.
  public init() {}

  /// Forgets everything and keeps the memory.
  public mutating func removeAll() {
    if !requests.isEmpty { requests.removeAll(keepingCapacity: true) }
    if !commands.isEmpty { commands.removeAll(keepingCapacity: true) }
    if !notices.isEmpty { notices.removeAll(keepingCapacity: true) }
  }
}
