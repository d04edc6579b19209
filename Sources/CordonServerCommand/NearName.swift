import CordonCore

/// The name that somebody may have meant.
enum NearName {
  /// The nearest of some names, if a few letters make the one the other: one, or a third of them.
  static func of(_ text: String, among names: [String]) -> String? {
    let nearest = names.map { (distance: WordDistance.edits(text, $0), name: $0) }.min {
      ($0.distance, $0.name) < ($1.distance, $1.name)
    }
    guard let nearest, nearest.distance <= max(1, text.count / 3) else { return nil }
    return nearest.name
  }
}
