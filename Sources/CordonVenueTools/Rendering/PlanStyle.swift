import CordonVenues

/// The style sheet of drawings, for light and dark screens.
enum PlanStyle {
  /// Returns the style sheet of a drawing with some kinds of spaces and connections.
  static func sheet(spaces: [SpaceKind], connections: [Connection.Kind]) -> String {
    let light = spaces.map { ".\(name($0)){fill:\(SpacePalette.fill($0))}" }.joined()
    let dark = spaces.map { ".\(name($0)){fill:\(SpacePalette.darkFill($0))}" }.joined()
    let dots = connections.map { ".\(name($0)){fill:\(SpacePalette.stroke($0))}" }.joined()
    return """
      :root{background:#fff}text{fill:#222}.page{fill:#fff}.floor{fill:#fbfbf9;stroke:#8a8a8a}.space{stroke:#b8b2a6;stroke-width:.6}
      .name{fill:#333}.rule{stroke:#222;fill:none;stroke-width:1.2}.on{fill:#fff}
      .wall{stroke:#3a3733;stroke-width:1.6;fill:none}.wall.solid{fill:#55514a;stroke-width:.6}
      .obstruction{stroke:#77726a;stroke-width:.8;fill:none}.obstruction.solid{fill:#b9b4ab}
      .furniture{stroke:#b5a988;stroke-width:.6;fill:none}.furniture.solid{fill:#e2d9c8}
      .door{stroke:#2e8540;stroke-width:3;fill:none}.door.dot{fill:#fff;stroke-width:1.2}
      .way-in{stroke:#c8102e;stroke-width:4.4;fill:none}.way-in.dot{fill:#c8102e;stroke:#fff;stroke-width:1.2}
      .assumed{stroke:#d97700;stroke-width:4;stroke-dasharray:3 2;fill:none}
      .unreachable{fill:url(#hatch);stroke:#a30000;stroke-width:1.2;stroke-dasharray:4 2}.hatch{stroke:#a30000;stroke-width:1.4}
      .graph{stroke:#36c;stroke-opacity:.45;stroke-width:.7;fill:none}.node{fill:#36c;fill-opacity:.6}
      .boundary{stroke:#d6006c;stroke-width:2;stroke-dasharray:8 4;fill:none}
      .circle{stroke:#7a1fa2;stroke-width:1.5;stroke-dasharray:3 3;fill:none}
      .landing{stroke:#fff;stroke-width:1.2}.badge{fill:#c8102e;stroke:#fff;stroke-width:1.5}
      \(light)\(dots)
      @media (prefers-color-scheme:dark){:root{background:#16181b}text{fill:#e8e8e8}.page{fill:#16181b}.floor{fill:#202327;stroke:#777}
      .space{stroke:#5b5b5b}.name{fill:#f0f0f0}.rule{stroke:#e8e8e8}.on{fill:#fff}
      .wall{stroke:#d8d4cc}.wall.solid{fill:#a8a49c}.obstruction{stroke:#8f8b84}.obstruction.solid{fill:#4c4a46}
      .furniture{stroke:#6d6655}.furniture.solid{fill:#3b372e}.door{stroke:#5fd07a}.door.dot{fill:#16181b}
      .way-in{stroke:#ff5a70}.assumed{stroke:#ffb03a}.unreachable{stroke:#ff8080}.hatch{stroke:#ff8080}
      .graph{stroke:#8ab4ff}.node{fill:#8ab4ff}.boundary{stroke:#ff6db0}.circle{stroke:#c99aff}\(dark)}
      """
  }

  /// Returns the class of a kind of space.
  static func name(_ kind: SpaceKind) -> String { "k-\(kind.rawValue)" }

  /// Returns the class of the landings of a kind of connection.
  static func name(_ kind: Connection.Kind) -> String { "c-\(kind.rawValue)" }
}
