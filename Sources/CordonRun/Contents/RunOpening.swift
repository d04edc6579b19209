package import CordonCore

/// A door or another passage on one floor. People are counted in both directions.
package struct RunOpening: Hashable, Sendable {
  /// The identifier in the source; for an assumed door, `assumed:` and the space.
  package var id: String
  /// The display name: that on the map, else the spaces on both sides; for an entrance its number and its name.
  package var name: String
  /// The ordinal of the floor.
  package var ordinal: FloorOrdinal
  /// The number of the space on the left of the threshold, looking from its first point to its second, or
  /// ``ObservedLocation/noSpace``.
  package var left: Int32
  /// The number of the space on the right of the threshold, or ``ObservedLocation/noSpace``.
  package var right: Int32
  /// The number of the entrance, which scenarios use; `nil` if people do not enter the venue here.
  package var entrance: Int?

  /// Creates an opening from its parts.
  package init(id: String, name: String, ordinal: FloorOrdinal, left: Int32, right: Int32, entrance: Int? = nil) {
    self.id = id
    self.name = name
    self.ordinal = ordinal
    self.left = left
    self.right = right
    self.entrance = entrance
  }
}

extension RunSpace {
  /// The name, or the kind with a capital letter for a space without a name.
  package var title: String {
    guard name.isEmpty else { return name }
    let words = kind.replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
