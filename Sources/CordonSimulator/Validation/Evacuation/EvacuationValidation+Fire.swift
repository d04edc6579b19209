import CordonCrowd

/// Smoke, and people who follow others.
extension EvacuationValidation {
  func fire() throws -> [EvacuationCase] { try walkingInSmoke() + incapacitation() + following() }

  /// A corridor of 102 m with an exit at its end.
  private static var corridorWithSmoke: Building {
    var building = Building()
    building.room("Corridor", x: 0...102, y: 0...2, kind: .corridor)
    building.door("exit", from: (102, 0.4), to: (102, 1.6), rooms: ["Corridor"])
    return building
  }

  /// Verif.2.5: a person walks through smoke of several densities.
  private func walkingInSmoke() throws -> [EvacuationCase] {
    // The factors of the published line, 1 - 0.0807 K, not below 0.1.
    let factors = [(0.0, 1.0), (0.5, 0.9596), (1, 0.9193), (3, 0.7578), (7.5, 0.3945), (10, 0.1926), (12, 0.1)]
    let errors = try factors.map { extinction, factor in
      let result = try evacuate(
        Self.corridorWithSmoke, [Building.Person(x: 1, y: 1, speed: 1.25)], seconds: 1_200,
        smoke: ["Corridor": Smoke(extinction: extinction)])
      guard let out = result.out(0) else { return Double.infinity }
      return abs(Self.length(result.tracks[0].segments) / out / (1.25 * factor) - 1)
    }
    return [
      EvacuationCase(
        "nist-2.5",
        "Verif.2.5: a person with 1.25 m/s in smoke of 0 to 12 per metre: largest error of the speed, as a share",
        criterion: "the speed falls by 8.07 % for each unit of the extinction coefficient, to a tenth: 2 %",
        value: errors.max() ?? .nan, band: 0...0.02)
    ]
  }

  /// Verif.2.6: a person takes in half of the dose each fifteen seconds.
  private func incapacitation() throws -> [EvacuationCase] {
    let result = try evacuate(
      Self.corridorWithSmoke, [Building.Person(x: 1, y: 1, speed: 1)], seconds: 300,
      smoke: ["Corridor": Smoke(extinction: 0, dosePerMinute: 2)])
    let segments = result.tracks[0].segments
    let stop = segments.last { $0.x0 != $0.x1 || $0.y0 != $0.y1 }?.end
    let isStopped = result.tracks[0].isIncapacitated && result.out(0) == nil
    return [
      EvacuationCase(
        "nist-2.6", "Verif.2.6: a person takes in two doses each minute: time of the last step", criterion: "30 s, 1 s",
        value: isStopped ? stop.map { Double($0 - result.start) / 1_000 } ?? .nan : .nan, unit: "s", band: 29...31),
      EvacuationCase(
        "nist-2.6-way", "the same at 1 m/s: length of the way", criterion: "30 m, 1 m", value: Self.length(segments),
        unit: "m", band: 29...31),
    ]
  }

  /// Verif.3.2: others walk to the farther of two exits.
  private func following() throws -> [EvacuationCase] {
    var building = Building()
    building.room("Room", x: 0...20, y: 0...10)
    building.door("west", from: (0, 4.5), to: (0, 5.5), rooms: ["Room"])
    building.door("east", from: (20, 4.5), to: (20, 5.5), rooms: ["Room"])
    func exit(follows: Bool) throws -> String? {
      var people = [Building.Person(x: 9, y: 5, delay: 2)]
      people[0].follows = follows
      people += (0..<4).map { Building.Person(x: 8 + Double($0), y: 3, exits: ["east"]) }
      return try evacuate(building, people).exit(0)
    }
    return [
      EvacuationCase(
        "nist-3.2",
        "Verif.3.2: a person who follows others, 9 m from one exit and 11 m from the other, to which four people walk: "
          + "leaves by the farther one", criterion: "yes (1)", value: try exit(follows: true) == "east" ? 1 : 0,
        band: 1...1),
      EvacuationCase(
        "nist-3.2-free", "the same person without following others: leaves by the nearer one", criterion: "yes (1)",
        value: try exit(follows: false) == "west" ? 1 : 0, band: 1...1),
    ]
  }
}
