import CordonCore
package import CordonCrowd
import CordonGeometry

/// The flow of a crowd through one door.
package struct DoorFlow: Hashable, Sendable {
  /// People per second, between the tenth and the ninetieth percent of the people.
  package var flow: Double
  /// The number of people who passed the door.
  package var through: Int
  /// The number of people.
  package var people: Int
  /// The time at which the last person passed the door, in seconds.
  package var seconds: Double
  /// The counters of the crowd.
  package var figures: CrowdFigures

  /// Whether people were left when the time was over.
  package var isJammed: Bool { through < people }

  /// Sends people from a room of 12 by 8 m through a door, for at most 300 simulated seconds.
  /// - Parameters:
  ///   - width: the width of the door, in metres.
  ///   - people: the number of people, at most 308.
  ///   - settings: the pedestrian model.
  ///   - step: the length of a step, in seconds.
  ///   - seed: the seed of positions and speeds.
  ///   - isInterrupted: polled before each step; `true` ends the run early.
  package static func oneWay(
    width: Double, people: Int = 100, settings: CrowdSettings, step: Double, seed: UInt64,
    isInterrupted: () -> Bool = { false }
  ) -> DoorFlow {
    run(
      width: width, east: people, west: 0, settings: settings, step: step, seed: seed, isInterrupted: isInterrupted)
  }

  /// Sends people in both directions through a door between two rooms of 12 by 8 m, for at most 300 simulated seconds.
  /// - Parameters:
  ///   - width: the width of the door, in metres.
  ///   - people: the number of people in each direction, at most 308.
  ///   - settings: the pedestrian model.
  ///   - step: the length of a step, in seconds.
  ///   - seed: the seed of positions and speeds.
  ///   - isInterrupted: polled before each step; `true` ends the run early.
  package static func twoWay(
    width: Double, people: Int = 40, settings: CrowdSettings, step: Double, seed: UInt64,
    isInterrupted: () -> Bool = { false }
  ) -> DoorFlow {
    run(
      width: width, east: people, west: people, settings: settings, step: step, seed: seed,
      isInterrupted: isInterrupted)
  }

  private static func run(
    width: Double, east: Int, west: Int, settings: CrowdSettings, step: Double, seed: UInt64,
    isInterrupted: () -> Bool
  ) -> DoorFlow {
    let count = east + west
    let crowd = PedestrianCrowd(
      walls: ValidationFloors.rooms(door: width, second: west > 0 ? 12 : 6), people: count, doorways: 1,
      settings: settings, seed: seed)
    let line = ValidationFloors.doorLine(width: width)
    let ways = [
      crowd.add(way: [.door(line, toLeft: false, number: 0), .point(PlanePoint(x: 17.5, y: 4), radius: 2)]),
      crowd.add(way: [.door(line, toLeft: true, number: 0), .point(PlanePoint(x: 6.7, y: 4), radius: 2)]),
    ]
    var random = RandomStream(seed: seed, stream: 5)
    for side in 0..<2 {
      var spots: [PlanePoint] = []
      for column in 0..<22 {
        for row in 0..<14 {
          let x = 0.4 + 0.5 * Double(column)
          spots.append(PlanePoint(x: side == 0 ? x : 24.2 - x, y: 0.4 + 0.55 * Double(row)))
        }
      }
      spots.shuffle(using: &random)
      for index in 0..<(side == 0 ? east : west) {
        let person = side == 0 ? index : east + index
        crowd.place(
          person, at: spots[index], freeSpeed: min(max(1.34 + 0.26 * random.nextNormal(), 0.5), 2.2))
        crowd.send(person, along: ways[side])
      }
    }
    var times: [Double] = []
    var passed = [Bool](repeating: false, count: count)
    let steps = Int(300 / step)
    for number in 1...max(steps, 1) where times.count < count && !isInterrupted() {
      crowd.step(seconds: step)
      for person in 0..<count where !passed[person] {
        let x = crowd.position(of: person).x
        if person < east ? x > 12.1 : x < 12.1 {
          passed[person] = true
          times.append(Double(number) * step)
        }
      }
      for person in crowd.arrived { crowd.remove(person) }
    }
    var result = DoorFlow(
      flow: 0, through: times.count, people: count, seconds: times.last ?? 0, figures: crowd.figures)
    let (low, high) = (times.count / 10, times.count * 9 / 10 - 1)
    if high > low, times[high] > times[low] { result.flow = Double(high - low) / (times[high] - times[low]) }
    return result
  }
}
