import CordonMonitoring

/// What the monitor has asked its provider for and not taken back: asked again of a stream that begins.
struct StandingCommands {
  private var positioning: ProviderCommand?
  private var region: ProviderCommand?
  private var wakeFence: ProviderCommand?

  /// In the order in which the monitor would ask.
  var all: [ProviderCommand] { [region, positioning, wakeFence].compactMap(\.self) }

  mutating func note(_ command: ProviderCommand) {
    switch command {
    case .startPositioning: positioning = command
    case .stopPositioning: positioning = nil
    case .watchRegion: region = command
    case .unwatchRegion: region = nil
    case .watchWakeFence: wakeFence = command
    case .unwatchWakeFence: wakeFence = nil
    case .requestFix: break
    }
  }
}
