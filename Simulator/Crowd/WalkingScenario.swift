import CordonGeometry

/// A floor on which all people walk from room to room all the time: the workload of crowd simulator benchmarks.
///
/// The keys are those of the tool-neutral scenario files; lengths in metres, speeds in metres per second.
public struct WalkingScenario: Codable, Sendable {
  /// The outer ring of the walkable area; the last point may repeat the first.
  public var exterior: [[Double]]
  /// Rings that are not walkable, inside the outer one.
  public var holes: [[[Double]]]
  /// Places to go.
  public var rooms: [Room]
  /// For each journey, its rooms, walked in a circle.
  public var journeys: [[Int]]
  /// The people.
  public var agents: [Agent]
  /// Distance from a room's centre at which it counts as reached, in metres.
  public var waypointRadius: Double
  /// Body radius, metres.
  public var radius: Double

  /// A place to go.
  public struct Room: Codable, Sendable {
    /// Its door's line; `nil` in an open hall.
    public var door: [[Double]]?
    /// The point that people head for.
    public var centre: [Double]
  }

  /// A person.
  public struct Agent: Codable, Sendable {
    /// Start, in metres.
    public var x: Double
    /// Start, in metres.
    public var y: Double
    /// Free speed, in metres per second.
    public var v0: Double
    /// Index of the journey.
    public var journey: Int
    /// Index on the journey at the start.
    public var startStage: Int

    enum CodingKeys: String, CodingKey {
      case x, y, v0, journey
      case startStage = "start_stage"
    }
  }

  enum CodingKeys: String, CodingKey {
    case exterior, holes, rooms, journeys, agents, radius
    case waypointRadius = "waypoint_radius"
  }

  /// What is wrong with the scenario, with its place as a JSON pointer; `nil` when it can be run.
  public var fault: (pointer: String, message: String)? {
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
    if agents.isEmpty { return ("/agents", "nobody") }
    for (index, agent) in agents.enumerated() {
      guard isPoint([agent.x, agent.y]), agent.v0 > 0, agent.v0 <= CrowdSettings.fastest else {
        return ("/agents/\(index)", "not a position, or a speed not in 0 ... \(CrowdSettings.fastest) m/s")
      }
      guard journeys.indices.contains(agent.journey), journeys[agent.journey].indices.contains(agent.startStage) else {
        return ("/agents/\(index)", "a journey or stage that does not exist")
      }
    }
    if !(radius > 0 && radius <= 0.5) { return ("/radius", "not in 0 ... 0.5 m") }
    if !(waypointRadius > 0 && waypointRadius <= 100) { return ("/waypoint_radius", "not in 0 ... 100 m") }
    return nil
  }

  /// Walls of the floor: every edge of its rings.
  var floor: PlanePolygon {
    func ring(_ points: [[Double]]) -> [PlanePoint] {
      var ring = points.map { PlanePoint(x: $0[0], y: $0[1]) }
      if ring.count > 1, ring.first == ring.last { ring.removeLast() }
      return ring
    }
    return PlanePolygon(outer: ring(exterior), holes: holes.map(ring))
  }
}
