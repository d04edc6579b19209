import CordonCore
import CordonGeometry
import CordonNavigation

/// Doors and connections that a plan assumes, because the map leaves parts of the venue without a way to them.
struct PlanMends: Hashable, Sendable {
  /// A door, or a gap between two open spaces.
  struct Door: Hashable, Sendable {
    /// The floor of the door.
    var floor: FloorID
    /// The space that has no way to it without the door.
    var space: SpaceID
    /// The threshold, in the frame of the plan.
    var line: PlaneSegment
    /// Whether the door is a narrow gap between two spaces without walls.
    var isSeam: Bool
  }

  /// A connection between two spaces of floors above one another.
  struct Joint: Hashable, Sendable {
    /// The kind of connection.
    var kind: Connection.Kind
    /// The two spaces, the lower one first.
    var spaces: [SpaceID]
    /// The floors of the spaces.
    var floors: [FloorID]
    /// The landings, in the frame of the plan.
    var positions: [PlanePoint]
  }

  /// The doors, in the order in which they were found.
  var doors: [Door] = []
  /// The connections.
  var joints: [Joint] = []

  var isEmpty: Bool { doors.isEmpty && joints.isEmpty }

  /// Returns the doors of one floor.
  func doors(on floor: FloorID) -> [Door] { doors.filter { $0.floor == floor } }

  static func + (a: PlanMends, b: PlanMends) -> PlanMends {
    PlanMends(doors: a.doors + b.doors, joints: a.joints + b.joints)
  }
}
