/// A measured distribution of people over the width of a corridor, with all people walking in one direction.
package struct LateralMeasurement: Hashable, Sendable {
  /// The width of the entrance to the corridor, in metres.
  package var entrance: Double
  /// People per second.
  package var flow: Double
  /// The share of positions within ``near`` of a wall.
  package var nearShare: Double
  /// The standard deviation of the positions, in metres.
  package var deviation: Double
  /// The share of positions in each tenth of the corridor's width of 1.8 m, in permille, from one wall to the other.
  package var permille: [Int]

  /// The width of the corridor, in metres.
  package static let width = 1.8
  /// The distance from a wall that counts as near, in metres.
  package static let near = 0.4

  /// The runs UO-050-180-180, UO-070-180-180 and UO-145-180-180 of the corridor experiments of the project HERMES
  /// (2009), from the Pedestrian Dynamics Data Archive of Forschungszentrum Jülich.
  ///
  /// The positions of heads in the middle 4 m of the corridor. `LateralTests` computes the figures from the
  /// trajectories where they are available.
  package static let all = [
    LateralMeasurement(
      entrance: 0.5, flow: 1.29, nearShare: 0.198, deviation: 0.375,
      permille: [0, 0, 9, 58, 98, 86, 99, 90, 68, 34, 64, 61, 72, 128, 113, 18, 0, 0]),
    LateralMeasurement(
      entrance: 0.7, flow: 1.60, nearShare: 0.233, deviation: 0.398,
      permille: [0, 0, 22, 101, 126, 81, 38, 42, 70, 81, 37, 46, 110, 136, 94, 15, 1, 0]),
    LateralMeasurement(
      entrance: 1.45, flow: 2.81, nearShare: 0.415, deviation: 0.440,
      permille: [0, 1, 68, 120, 81, 58, 41, 65, 71, 70, 56, 49, 44, 51, 127, 94, 5, 0]),
  ]
}
