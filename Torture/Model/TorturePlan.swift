import CordonCore

/// The plan of a run. Everything follows from the seed, but the faults are a list that can be shortened.
package struct TorturePlan: Hashable, Sendable {
  /// Where rows are kept.
  package enum Storage: String, CaseIterable, Hashable, Sendable {
    /// In memory, which is faster; kills only between calls of the store.
    case memory
    /// In SQLite files on disks that the test owns.
    case sqlite
  }

  /// Determines everything but the faults.
  package var seed: UInt64
  /// At least three.
  package var phones: Int
  /// Milliseconds of virtual time with faults.
  package var duration: Int64
  /// Where rows are kept.
  package var storage: Storage
  /// The faults, by time.
  package var faults: [PlannedFault]
  /// Whether phones may record outside of the venue: all have the rules and the sinks for it, but only persons with an even
  /// number consent to it.
  package let isEverywhere: Bool

  /// The plan of a seed: 30 to 46 faults of at least six kinds.
  /// - Parameter isEverywhere: see ``isEverywhere``; `nil` for one seed of four.
  package init(seed: UInt64, storage: Storage = .sqlite, hours: Double = 2, isEverywhere: Bool? = nil) {
    self.seed = seed
    let isEverywhere = isEverywhere ?? (seed % 4 == 0)
    self.isEverywhere = isEverywhere
    self.storage = storage
    duration = Int64(hours * 3_600_000)
    var random = RandomStream(seed: seed, stream: 0x70)
    phones = 3 + (random.nextIndex(below: 4) == 0 ? 1 : 0)
    let count = 30 + random.nextIndex(below: 17)
    faults = []
    repeat {
      faults = (0..<count).map { _ in
        TorturePlan.fault(&random, phones: phones, duration: duration, isEverywhere: isEverywhere)
      }
    } while Set(faults.map(\.fault)).count < 6
    faults.sort { ($0.at, $0.phone, $0.fault.rawValue) < ($1.at, $1.phone, $1.fault.rawValue) }
  }

  private static func fault(
    _ random: inout RandomStream, phones: Int, duration: Int64, isEverywhere: Bool
  ) -> PlannedFault {
    // Half of them affect messages, which are also the most frequent faults in practice.
    let network = TortureFault.allCases.filter(\.isOfNetwork)
    let others = TortureFault.allCases.filter { !$0.isOfNetwork && (isEverywhere || !$0.isOfEverywhere) }
    let kind =
      random.nextIndex(below: 2) == 0
      ? network[random.nextIndex(below: network.count)] : others[random.nextIndex(below: others.count)]
    let at = Int64(random.nextIndex(below: Int(max(1, duration - 60_000))))
    let phone = kind.isOfServer ? 0 : random.nextIndex(below: phones)
    let minutes = Int64(1 + random.nextIndex(below: 10)) * 60_000
    let amount: Int64 =
      switch kind {
      case .delayRequest, .delayResponse: Int64(1_000 + random.nextIndex(below: 400_000))
      case .repeatRequest, .repeatResponse: Int64(500 + random.nextIndex(below: 120_000))
      case .killPhone, .powerLossPhone: Int64(random.nextIndex(below: 60))
      case .killServer, .powerLossServer: Int64(random.nextIndex(below: 40))
      case .clockForward, .clockBack: Int64(3_000 + random.nextIndex(below: 3_600_000))
      default: minutes
      }
    return PlannedFault(at: at, phone: phone, fault: kind, amount: amount)
  }

  /// Returns the plan with only the faults at some indices, see ``places(of:)``.
  package func only(_ places: [Int]) -> TorturePlan {
    with(Set(places).sorted().filter(faults.indices.contains).map { faults[$0] })
  }

  /// Returns the indices of another plan's faults in this one's list.
  package func places(of other: TorturePlan) -> [Int] {
    let wanted = Set(other.faults)
    return faults.indices.filter { wanted.contains(faults[$0]) }
  }

  /// Returns the plan with other faults.
  package func with(_ faults: [PlannedFault]) -> TorturePlan {
    var plan = self
    plan.faults = faults
    return plan
  }
}
