public import CordonCore

extension Runtime {
  /// When the device's token ends; `nil` when it has none.
  public var tokenEnd: Instant? { record.authToken == nil ? nil : record.expiresAt }
}
