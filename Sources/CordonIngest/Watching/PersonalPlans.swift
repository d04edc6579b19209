package import CordonCore
import CordonGeometry
import CordonSupport

/// A position that its person looks at.
package struct PersonalPosition: Hashable, Sendable {
  /// The time.
  package var time: Instant
  /// The place.
  package var coordinate: Coordinate

  /// Takes the values as they are.
  package init(time: Instant, coordinate: Coordinate) { (self.time, self.coordinate) = (time, coordinate) }
}

extension VenueCatalog {
  /// Returns the maps of the venues in which positions are, each with these positions: `{"plans": [{"plan": ..., "positions": [[time,
  /// x, y], ...]}]}`, times in milliseconds, x and y in centimetres as in the map. Venues without a map and without positions are
  /// left out.
  ///
  /// Complexity: a gate test for each position and venue.
  package func plans(of positions: [PersonalPosition]) -> [UInt8] {
    var bytes = Array(#"{"plans":["#.utf8)
    var isFirst = true
    for id in ids {
      guard let venue = self[id], let document = venue.document else { continue }
      let here = positions.filter { venue.gate.judge($0.coordinate, floor: nil).isInside }
      guard !here.isEmpty else { continue }
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      let list = here.map { JSONValue.array([.integer($0.time.milliseconds)] + document.place($0.coordinate)) }
      bytes += Array(#"{"plan":"#.utf8) + document.bytes
      bytes += Array(#","positions":\#(JSONValue.array(list).text())}"#.utf8)
    }
    return bytes + Array("]}".utf8)
  }
}
