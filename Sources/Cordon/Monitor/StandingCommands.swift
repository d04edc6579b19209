import CordonMonitoring

/// The provider commands in force, which are repeated when a stream begins anew.
struct StandingCommands {
  private var positioning: ProviderCommand?
  private var region: ProviderCommand?
  private var wakeFence: ProviderCommand?
  private var policy: ProviderCommand?
  private var significantChanges: ProviderCommand?
  private var visits: ProviderCommand?
  private var exitFence: ProviderCommand?

  /// The commands, in the monitor's order.
  var all: [ProviderCommand] {
    [region, policy, positioning, significantChanges, visits, wakeFence, exitFence].compactMap(\.self)
  }

  mutating func note(_ command: ProviderCommand) {
    switch command {
    case .startPositioning: positioning = command
    case .stopPositioning: positioning = nil
    case .watchRegion: region = command
    case .unwatchRegion: region = nil
    case .watchWakeFence: wakeFence = command
    case .unwatchWakeFence: wakeFence = nil
    case .usePolicy(nil): policy = nil
    case .usePolicy: policy = command
    case .watchSignificantChanges: significantChanges = command
    case .unwatchSignificantChanges: significantChanges = nil
    case .watchVisits: visits = command
    case .unwatchVisits: visits = nil
    case .watchExitFence: exitFence = command
    case .unwatchExitFence: exitFence = nil
    case .requestFix: break
    }
  }
}
