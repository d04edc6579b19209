public import CordonCore

/// What a device has to know of a venue: its boundary, its geofence, its floors, spaces and walls.
///
/// It carries identifiers and kinds and no other text, so no names of places or people. A file of it
/// (see ``encode()`` and ``init(decoding:)``) is some kilobytes for an office and needs no other library to be read.
/// The format is described in `PackedVenue+Encoding.swift`.
public struct PackedVenue: Hashable, Sendable {
  /// The venue.
  public var venue: VenueID
  /// SHA-256 of the bundle that it was made of, 64 hexadecimal digits.
  public var contentHash: String
  /// The circle to watch.
  public var geofence: Geofence
  /// The area that counts as the venue. Kept to 1e-8 degrees (1.1 mm).
  public var boundary: GeoMultiPolygon
  /// Metres outside of the boundary that still count as inside.
  public var tolerance: Double
  /// The origin of the local frame in which walls are given.
  public var frameOrigin: Coordinate
  /// The floors.
  public var floors: [Floor]
  /// The spaces of all floors.
  public var spaces: [Space]
  /// The walls, floor by floor.
  public var walls: [Walls]

  /// A floor of the venue.
  public struct Floor: Hashable, Sendable {
    /// The source's identifier.
    public var id: FloorID
    /// Where it lies in its building.
    public var ordinal: FloorOrdinal

    /// A floor.
    public init(id: FloorID, ordinal: FloorOrdinal) {
      self.id = id
      self.ordinal = ordinal
    }
  }

  /// A space of a floor.
  public struct Space: Hashable, Sendable {
    /// The source's identifier.
    public var id: SpaceID
    /// Its floor, one of ``PackedVenue/floors``.
    public var floor: FloorID
    /// How much of a fix in it may be kept.
    public var recording: GateVerdict.Recording
    /// What it is for, such as `restroom`: the raw value of the venue model's kind.
    public var kind: String
    /// Its outline. Kept to 1e-8 degrees (1.1 mm).
    public var outline: GeoMultiPolygon

    /// A space.
    public init(
      id: SpaceID, floor: FloorID, recording: GateVerdict.Recording = .full, kind: String, outline: GeoMultiPolygon
    ) {
      self.id = id
      self.floor = floor
      self.recording = recording
      self.kind = kind
      self.outline = outline
    }
  }

  /// The walls of a floor.
  public struct Walls: Hashable, Sendable {
    /// Their floor, one of ``PackedVenue/floors``.
    public var floor: FloorID
    /// Metres in the frame at ``PackedVenue/frameOrigin``, openings cut out. Kept to 0.1 mm.
    public var segments: [WallSegment]

    /// Walls of a floor.
    public init(floor: FloorID, segments: [WallSegment]) {
      self.floor = floor
      self.segments = segments
    }
  }

  /// Takes the parts as they are.
  public init(
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

  /// The frame of the walls.
  public var frame: LocalFrame { LocalFrame(origin: frameOrigin) }

  /// The walls of every floor with an ordinal, as one index; empty when there is none.
  public func wallIndex(at ordinal: FloorOrdinal) -> WallIndex {
    let floors = Set(floors.lazy.filter { $0.ordinal == ordinal }.map(\.id))
    return WallIndex(walls.filter { floors.contains($0.floor) }.flatMap(\.segments))
  }
}
