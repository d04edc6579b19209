import CordonGeometry
import CordonNavigation

/// A floor on which all people walk from room to room all the time: the workload of crowd simulation benchmarks.
///
/// The keys are those of the tool-neutral scenario files. Lengths are in metres, speeds in metres per second.
package struct WalkingScenario: Codable, Sendable {
  /// The outer ring of the walkable area, as (x, y) pairs; the last point may repeat the first.
  package var exterior: [[Double]]
  /// Rings inside the outer one that are not walkable.
  package var holes: [[[Double]]]
  /// The rooms between which people walk.
  package var rooms: [Room]
  /// The rooms of each journey, visited in a circle.
  package var journeys: [[Int]]
  /// The people.
  package var agents: [Agent]
  /// Distance from the centre of a room at which the room counts as reached, in metres.
  package var waypointRadius: Double
  /// Radius of a body, in metres.
  package var radius: Double

  /// A room to walk to.
  package struct Room: Codable, Sendable {
    /// The line of the door, as two points; `nil` in an open hall.
    package var door: [[Double]]?
    /// The point (x, y) that people head for.
    package var centre: [Double]
  }

  /// A person.
  package struct Agent: Codable, Sendable {
    /// The x coordinate at the start, in metres.
    package var x: Double
    /// The y coordinate at the start, in metres.
    package var y: Double
    /// Free speed, in metres per second.
    package var v0: Double
    /// Index of the journey in ``WalkingScenario/journeys``.
    package var journey: Int
    /// Index within the journey at the start.
    package var startStage: Int

    enum CodingKeys: String, CodingKey {
      case x, y, v0, journey
      case startStage = "start_stage"
    }
  }

  enum CodingKeys: String, CodingKey {
    case exterior, holes, rooms, journeys, agents, radius
    case waypointRadius = "waypoint_radius"
  }

  /// The first fault of the scenario, with its place as a JSON pointer; `nil` if the scenario can run.
  package var fault: (pointer: String, message: String)? {
    func isPoint(_ values: [Double]) -> Bool { values.count >= 2 && values.allSatisfy { abs($0) < 1e6 } }
    if exterior.count < 3 || !exterior.allSatisfy(isPoint) {
      return ("/exterior", "not a ring of at least three points")
    }
    for (index, hole) in holes.enumerated() where hole.count < 3 || !hole.allSatisfy(isPoint) {
      return ("/holes/\(index)", "not a ring of at least three points")
    }
    for (index, room) in rooms.enumerated() {
      if !isPoint(room.centre) { return ("/rooms/\(index)/centre", "not a point") }
      if let door = room.door, door.count != 2 || !door.allSatisfy(isPoint) {
        return ("/rooms/\(index)/door", "not a line of two points")
      }
    }
    for (index, journey) in journeys.enumerated() where journey.isEmpty || !journey.allSatisfy(rooms.indices.contains) {
      return ("/journeys/\(index)", "empty, or a room that does not exist")
    }
    if agents.isEmpty { return ("/agents", "empty") }
    for (index, agent) in agents.enumerated() {
      guard isPoint([agent.x, agent.y]), agent.v0 > 0, agent.v0 <= CrowdSettings.maximumFreeSpeed else {
        return ("/agents/\(index)", "not a position, or a speed not in 0 ... \(CrowdSettings.maximumFreeSpeed) m/s")
      }
      guard journeys.indices.contains(agent.journey), journeys[agent.journey].indices.contains(agent.startStage) else {
        return ("/agents/\(index)", "a journey or stage that does not exist")
      }
    }
    if !(radius > 0 && radius <= 0.5) { return ("/radius", "not in 0 ... 0.5 m") }
    if !(waypointRadius > 0 && waypointRadius <= 100) { return ("/waypoint_radius", "not in 0 ... 100 m") }
    return nil
  }

  /// The floor as a polygon; every edge of its rings is a wall.
  var floor: PlanePolygon {
    func ring(_ points: [[Double]]) -> [PlanePoint] {
      var ring = points.map { PlanePoint(x: $0[0], y: $0[1]) }
      if ring.count > 1, ring.first == ring.last { ring.removeLast() }
      return ring
    }
    return PlanePolygon(outer: ring(exterior), holes: holes.map(ring))
  }
}
