public import CordonCore

/// The part of a venue that a device needs: its boundary, geofence, floors, spaces and walls.
///
/// A packed venue contains identifiers and kinds but no other text, so no names of places or people. Its file (see
/// ``encode()`` and ``init(decoding:)``) has some kilobytes for an office and can be read without other libraries.
/// `PackedVenue+Encoding.swift` describes the format.
public struct PackedVenue: Hashable, Sendable {
  /// The venue's identifier.
  public var venue: VenueID
  /// The SHA-256 of the bundle that the packed venue was made from, 64 hexadecimal digits.
  public var contentHash: String
  /// The circle for region monitoring by the operating system.
  public var geofence: Geofence
  /// The area of the venue, with a resolution of 1e-8 degrees (1.1 mm) in files.
  public var boundary: GeoMultiPolygon
  /// The distance in metres outside the boundary that still counts as inside.
  public var tolerance: Double
  /// The origin of the local frame of the walls.
  public var frameOrigin: Coordinate
  /// The floors.
  public var floors: [Floor]
  /// The spaces of all floors.
  public var spaces: [Space]
  /// The walls, grouped by floor.
  package var walls: [Walls]

  /// A floor of the venue.
  public struct Floor: Hashable, Sendable {
    /// The identifier in the source.
    public var id: FloorID
    /// The position in its building.
    public var ordinal: FloorOrdinal

    /// Creates a floor from its parts.
    public init(id: FloorID, ordinal: FloorOrdinal) {
      self.id = id
      self.ordinal = ordinal
    }
  }

  /// A space on a floor.
  public struct Space: Hashable, Sendable {
    /// The purpose of a space, such as `restroom`.
    ///
    /// The names are those of `SpaceKind`, the venue model's kinds, which devices do not load. A file may contain
    /// others, such as those of a later version; they are kept.
    public struct Kind: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
      /// The name in files.
      public let rawValue: String

      /// Creates a kind of any name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Creates a kind of any name.
      public init(stringLiteral name: String) { rawValue = name }

      /// Compares the UTF-8 bytes of the names.
      public static func < (lhs: Kind, rhs: Kind) -> Bool {
        lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
      }
    }

    /// The identifier in the source.
    public var id: SpaceID
    /// The floor, one of ``PackedVenue/floors``.
    public var floor: FloorID
    /// The part of a fix in the space that may be kept.
    public var recording: GateVerdict.Recording
    /// The purpose.
    public var kind: Kind
    /// The outline, with a resolution of 1e-8 degrees (1.1 mm) in files.
    public var outline: GeoMultiPolygon

    /// Creates a space from its parts.
    public init(
      id: SpaceID, floor: FloorID, recording: GateVerdict.Recording = .full, kind: Kind, outline: GeoMultiPolygon
    ) {
      self.id = id
      self.floor = floor
      self.recording = recording
      self.kind = kind
      self.outline = outline
    }
  }

  /// The walls of a floor.
  package struct Walls: Hashable, Sendable {
    /// The floor, one of ``PackedVenue/floors``.
    package var floor: FloorID
    /// The walls in metres in the frame at ``PackedVenue/frameOrigin``, without openings, with a resolution of 0.1 mm
    /// in files.
    package var segments: [WallSegment]

    /// Creates the walls of a floor.
    package init(floor: FloorID, segments: [WallSegment]) {
      self.floor = floor
      self.segments = segments
    }
  }

  /// Creates a packed venue from its parts.
  package init(
    venue: VenueID, contentHash: String, geofence: Geofence, boundary: GeoMultiPolygon, tolerance: Double = 0,
    frameOrigin: Coordinate, floors: [Floor] = [], spaces: [Space] = [], walls: [Walls] = []
  ) {
    self.venue = venue
    self.contentHash = contentHash
    self.geofence = geofence
    self.boundary = boundary
    self.tolerance = tolerance
    self.frameOrigin = frameOrigin
    self.floors = floors
    self.spaces = spaces
    self.walls = walls
  }

  /// The local frame of the walls.
  public var frame: LocalFrame { LocalFrame(origin: frameOrigin) }

  /// Returns one index of the walls of every floor with an ordinal; empty if there is no such floor.
  public func wallIndex(at ordinal: FloorOrdinal) -> WallIndex {
    let floors = Set(floors.lazy.filter { $0.ordinal == ordinal }.map(\.id))
    return WallIndex(walls.filter { floors.contains($0.floor) }.flatMap(\.segments))
  }
}
