public import CordonCore
import CordonGeometry
import CordonSupport
public import CordonVenues

/// A generator of plausible venues: buildings with corridors, rooms, doors, stairs, elevators, walls, a walking graph
/// and a directory.
///
/// Every venue is valid and complete. Spaces do not overlap, every room can be reached from an entrance, and stairs and
/// elevators are aligned across floors. The same arguments give the same venue on any machine.
///
/// ```swift
/// let office = try VenueGenerator.generate(kind: .office, floors: 3, area: 2_400, seed: 7)
/// ```
public enum VenueGenerator {
  /// The kind of a generated venue.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case office, mall, museum, hospital, station, campus

    /// The permitted area of a floor in square metres; for a campus, of all ground floors together.
    public var areaRange: ClosedRange<Double> {
      switch self {
      case .office: 300...40_000
      case .mall: 1_500...80_000
      case .museum: 600...40_000
      case .hospital: 800...60_000
      case .station: 2_000...60_000
      case .campus: 1_800...120_000
      }
    }

    /// The default area of a floor, in square metres.
    public var defaultArea: Double {
      switch self {
      case .office: 2_400
      case .mall: 6_000
      case .museum: 2_800
      case .hospital: 5_000
      case .station: 8_000
      case .campus: 7_500
      }
    }
  }

  /// The permitted number of floors.
  public static let floorRange = 1...40

  /// The default position of a venue: a field near Munich.
  public static let defaultOrigin = Coordinate(longitude: 11.58, latitude: 48.14)

  /// Generates a venue.
  ///
  /// - Parameters:
  ///   - kind: the kind of venue.
  ///   - floors: the number of floors of the tallest building, in ``floorRange``. A station's second floor is
  ///     underground.
  ///   - area: the area of a floor in square metres, in ``Kind/areaRange``; for a campus, of all ground floors
  ///     together.
  ///   - seed: the seed; equal seeds give equal venues.
  ///   - origin: the south-west corner of the venue, at most 85 degrees from the equator.
  /// - Throws: `VenueError` with the code `invalid-argument`; its `file` is the name of the argument.
  public static func generate(
    kind: Kind, floors: Int, area: Double, seed: UInt64, origin: Coordinate = defaultOrigin
  ) throws(VenueError) -> Venue {
    guard floorRange.contains(floors) else {
      throw refusal("floors", "\(floors) is not in \(floorRange.lowerBound)...\(floorRange.upperBound)")
    }
    // NaN is outside every range.
    guard kind.areaRange.contains(area) else {
      let range = kind.areaRange
      throw refusal(
        "area",
        "\(area) is not in \(Int(range.lowerBound))...\(Int(range.upperBound)) m2, the range of \(kind.rawValue)")
    }
    guard origin.isValid, abs(origin.latitude) <= 85 else {
      throw refusal("origin", "latitude must be within 85 degrees, longitude within 180")
    }
    var random = RandomStream(seed: seed, stream: 0x706c_616e)
    let site = SiteDraft.draw(kind: kind, floors: floors, area: area, random: &random)
    guard let id = VenueID("\(kind.rawValue)-\(seed)") else {
      throw refusal("seed", "no venue identifier can be made of it")
    }
    var assembler = VenueAssembler(site: site, id: id, origin: origin)
    var venue = assembler.assembled()
    venue.contentHash = SHA256.hexDigest(of: GeoJSONVenueWriter(venue: venue).file().bytes)
    return venue
  }

  private static func refusal(_ argument: String, _ message: String) -> VenueError {
    VenueError(code: "invalid-argument", file: argument, message: message)
  }
}
