import CordonCore
import Foundation

/// Whether a run fits into the memory of the machine, estimated before it begins.
struct RunForecast {
  /// Bytes that the run will need, about.
  let bytes: Double
  let people: Int

  /// What one received fix takes while a run is made: the sink's row, the analysed row, its part of tables.
  private static let bytesPerFix = 700.0
  /// What one stay takes with the walk to it.
  private static let bytesPerStay = 1_500.0
  private static let bytesPerPerson = 4_000.0

  init(_ plan: CrowdPlan, settings: SimulationSettings, end: Instant) {
    var fixes = 0.0
    var stays = 0
    let share: (Int) -> Double = { plan.people.isEmpty ? settings.deviceShare : plan.people[$0].deviceShare }
    for itinerary in plan.itineraries {
      stays += itinerary.stops.count + 1
      guard let leave = itinerary.stops.last?.leave else { continue }
      let seconds = (min(leave, end) - itinerary.arrival).seconds
      // Resting phones switch positioning off; about a third of the time is measured.
      fixes += max(seconds, 0) / settings.fixInterval.seconds * share(itinerary.person) / 3
    }
    people = plan.people.count
    bytes =
      fixes * RunForecast.bytesPerFix + Double(stays) * RunForecast.bytesPerStay
      + Double(people) * RunForecast.bytesPerPerson
  }

  /// Refuses what cannot fit.
  func check(available: UInt64 = ProcessInfo.processInfo.physicalMemory) throws(SimulationError) {
    guard bytes > Double(available) * 0.85 else { return }
    throw .memory(people: people, needed: bytes, available: Double(available))
  }
}
