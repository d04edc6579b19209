import CordonAir
import CordonContacts
import CordonCore
import CordonCrowd

/// The exposure of people to each other nearby: quanta from the breath of infectious people, and cumulative exposure.
struct AirNearby {
  let setup: AirSetup
  let truth: Truth
  let people: AirPeople
  let postures: [AirPostures]
  let places: RunPlaces

  /// The time between two looks at the distance of a pair, in milliseconds.
  private static let step: Int64 = 1_000

  /// Returns the quanta that each person inhales from infectious people nearby.
  ///
  /// The distance is taken in the middle of every second of a contact. A wall between two people ends the exposure for
  /// its share of the contact.
  func quanta(_ contacts: [Contact]) -> [Double] {
    var quanta = [Double](repeating: 0, count: truth.people.count)
    guard setup.rules.facing > 0 else { return quanta }
    for contact in contacts where people.isInfectious[Int(contact.first)] != people.isInfectious[Int(contact.second)] {
      let (source, other) =
        people.isInfectious[Int(contact.first)]
        ? (Int(contact.first), Int(contact.second)) : (Int(contact.second), Int(contact.first))
      let seen = 1 - (contact.obstructedShare ?? 0)
      guard people.isSusceptible[other], seen > 0 else { continue }
      var time = contact.start / 1_000
      let end = (contact.end + 999) / 1_000
      while time < end {
        let next = min(end, time + Self.step)
        quanta[other] += rate(from: source, to: other, at: (time + next) / 2) * Double(next - time) / 3_600_000 * seen
        time = next
      }
    }
    return quanta
  }

  /// Returns the quanta that a person inhales per hour from another's breath.
  private func rate(from source: Int, to other: Int, at time: Int64) -> Double {
    let instant = Instant(milliseconds: time)
    guard let a = truth.position(of: source, at: instant), let b = truth.position(of: other, at: instant) else {
      return 0
    }
    let (dx, dy) = (a.point.x - b.point.x, a.point.y - b.point.y)
    let space = places.space(floor: a.floor.thousandths, x: a.point.x, y: a.point.y) ?? -1
    let emitting = load(source, space, time)
    let inhaling = load(other, space, time)
    return ExpiratoryJet.inhaledQuanta(
      source: emitting.quanta,
      breathing: setup.emissions.activity(postures[source].posture(at: time), in: space)
        .activity.breathing, inhaled: inhaling.inhaled, distance: (dx * dx + dy * dy).squareRoot(),
      facing: setup.rules.facing)
  }

  private func load(_ person: Int, _ space: Int, _ time: Int64) -> AirLoad {
    setup.emissions.load(
      postures[person].posture(at: time), in: space, isInfectious: people.isInfectious[person],
      wearsMask: people.wearsMask[person])
  }

  /// Returns the cumulative exposure of each person to others within the distance, mostly without a wall between.
  func exposures(_ contacts: [Contact]) -> [CumulativeExposure] {
    var intervals = [[(start: Double, end: Double)]](repeating: [], count: truth.people.count)
    for contact in contacts where (contact.obstructedShare ?? 0) <= 0.5 {
      let interval = (start: Double(contact.start) / 1e6, end: Double(contact.end) / 1e6)
      intervals[Int(contact.first)].append(interval)
      intervals[Int(contact.second)].append(interval)
    }
    return intervals.map { CumulativeExposure($0) }
  }
}
