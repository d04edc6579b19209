package import CordonGeometry
import CordonOverlays
import CordonVenues
import Foundation

/// The venue of a tracker.
package enum TrackerVenue {
  /// Reads a packed venue, or a map of any supported format.
  ///
  /// A map is packed with the defaults: nothing is recorded in restrooms and prayer rooms. Other rules need a venue
  /// packed with `cordon venue pack`, or an overlay beside the map.
  package static func load(_ path: String) throws(TrackerError) -> (venue: PackedVenue, remarks: [String]) {
    if !isFolder(path) {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw TrackerError("not-found", "no such venue, or it cannot be read", file: path)
      }
      let bytes = Array(data)
      do throws(PackedVenueError) {
        return (try PackedVenue(decoding: bytes), [])
      } catch {
        if error.reason != .notAPackedVenue { throw TrackerError("bad-venue", error.description, file: path) }
      }
    }
    do throws(VenueError) {
      let loaded = try OverlaidVenue.load(path: path)
      let packing = try loaded.venue.packing()
      let findings = loaded.findings.filter { $0.severity == .error } + packing.findings
      return (packing.venue, findings.map { "\($0.code): \($0.message)" })
    } catch {
      throw TrackerError("bad-venue", error.message, file: path, place: error.pointer)
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
