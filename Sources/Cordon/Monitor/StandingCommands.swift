import CordonMonitoring

/// The provider commands in force, which are repeated when a stream begins anew.
struct StandingCommands {
  private var positioning: ProviderCommand?
  private var region: ProviderCommand?
  private var wakeFence: ProviderCommand?

  /// The commands, in the monitor's order.
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
