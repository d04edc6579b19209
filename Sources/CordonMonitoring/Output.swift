/// What a step asks of the world. Reuse one for many steps, and for many runtimes.
public struct Output: Sendable {
  /// Messages to carry.
  public var requests: [Request] = []
  /// What the operating system is asked for.
  public var commands: [Command] = []
  /// What the app may want to know.
  public var notices: [Notice] = []
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
