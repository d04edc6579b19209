import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonSimulator
import Measuring

/// The peak memory for a number of people in a hall of constant size. The difference of two runs, divided by the
/// difference of their people, is the memory of one more person.
enum MemoryMeasurements {
  static func run(_ arguments: [String]) {
    let people = max(Int(Arguments.values(arguments)["people"] ?? 1), 1)
    let side = 240.0
    let corners = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)].map { PlanePoint(x: $0.0, y: $0.1) }
    let crowd = PedestrianCrowd(
      walls: PlanePolygon(outer: corners).edges, people: people,
      settings: CrowdSettings(model: .collisionFreeSpeed(CollisionFreeSpeed())), seed: 1)
    let way = crowd.add(way: [.point(PlanePoint(x: side - 2, y: side / 2), radius: 1)])
    for person in 0..<people {
      let point = PlanePoint(x: 1 + 0.7 * Double(person % 330), y: 1 + 0.7 * Double(person / 330 % 330))
      crowd.place(person, at: point, freeSpeed: 1.34)
      crowd.send(person, along: way)
    }
    for _ in 0..<20 { crowd.step(seconds: 0.1) }
    print("{\"people\": \(people), \"peak_kib\": \(Int(peakBytes() / 1_024))}")
  }
}
