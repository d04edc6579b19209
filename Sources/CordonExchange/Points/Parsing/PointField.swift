/// The meaning of a column in a file of points.
package enum PointField: String, Hashable, Sendable, CaseIterable {
  /// The device's name or number.
  case device
  /// When; or the time of day, with a column for the day.
  case time
  /// The day of a time of day.
  case date
  /// Degrees.
  case longitude
  /// Degrees.
  case latitude
  /// Metres east, instead of a longitude.
  case x
  /// Metres north, instead of a latitude.
  case y
  /// A point as WKT or as WKB in hexadecimal digits, instead of two columns.
  case geometry
  /// The floor's ordinal, or its name or identifier in the venue; empty when not known.
  case floor
  /// Radius at 68 %, metres; empty, 0 or less when not known.
  case accuracy
  /// Until when the device rested there.
  case stillUntil = "still_until"
  /// The venue's name.
  case venue
  /// Whether software made the position up.
  case mocked

  /// The known names of the column, the likeliest first, as ``normalised(_:)`` makes them.
  ///
  /// They are those of Cordon itself and of Traccar, OwnTracks, Overland, Kepler.gl, MovingPandas, scikit-mobility, Movebank,
  /// GeoLife, GPSLogger, SensorLog and PostgreSQL exports; docs/reference/input.md lists them.
  package static let names: [(field: PointField, names: [String])] = [
    (
      .device,
      [
        "device", "deviceid", "dev", "devicename", "individuallocalidentifier", "taglocalidentifier", "individualid",
        "userid", "uid", "user", "username", "personid", "person", "agentid", "agent", "pedestrianid", "visitorid",
        "vehicleid", "objectid", "objid", "entityid", "trackerid", "trackid", "trajectoryid", "trajid", "badgeid",
        "tagid",
        "macaddress", "mac", "imei", "mmsi", "uniqueid", "gerät", "geraet", "geräteid", "geraeteid", "kennung", "tid",
        "topic", "id",
      ]
    ),
    (
      .time,
      [
        "tst", "time", "t", "tms", "timems", "timestamp", "timestampms", "ts", "times", "timestamps", "timeus",
        "timens",
        "timestampus", "timestampns", "tsms", "tsus", "tsns", "tus", "tns", "epoch", "epochms", "epochs", "unixtime",
        "unixtimestamp", "unixtimems", "datetime", "datetimeutc", "timeutc", "timestamputc", "utctime", "utctimestamp",
        "utc", "fixtime", "gpstime", "locationtime", "recordedat", "recordedtime", "measuredat", "observedat",
        "eventtime",
        "positiontime", "basedatetime", "devicetime", "servertime", "isotst", "locationtimestampsince1970", "uhrzeit",
        "zeit", "zeitpunkt", "zeitstempel", "date", "datum",
      ]
    ),
    (.date, ["date", "day", "gpsdate", "utcdate", "dateutc", "datum", "tag"]),
    (
      .longitude,
      [
        "lon", "lng", "longitude", "long", "locationlong", "locationlon", "locationlng", "locationlongitude",
        "gpslongitude",
        "gpslon", "gpslng", "pointlongitude", "pointlon", "pointlng", "coordslongitude", "longitudedeg", "londeg",
        "länge", "laenge", "längengrad", "laengengrad",
      ]
    ),
    (
      .latitude,
      [
        "lat", "latitude", "locationlat", "locationlatitude", "gpslatitude", "gpslat", "pointlatitude", "pointlat",
        "coordslatitude", "latitudedeg", "latdeg", "breite", "breitengrad",
      ]
    ),
    (.x, ["x", "xm", "posx", "positionx", "xcoordinate", "xcoord", "easting", "utmeasting"]),
    (.y, ["y", "ym", "posy", "positiony", "ycoordinate", "ycoord", "northing", "utmnorthing"]),
    (
      .geometry,
      [
        "geometry", "geom", "wkt", "wkb", "ewkb", "wkbgeometry", "thegeom", "geog", "stastext", "astext", "point",
        "location", "position",
      ]
    ),
    (
      .floor,
      [
        "floor", "locationfloor", "level", "ordinal", "floorordinal", "floorlevel", "floorid", "floorname",
        "floornumber", "storey", "story",
        "etage", "geschoss", "stockwerk",
      ]
    ),
    (
      .accuracy,
      [
        "acc", "accuracy", "accuracym", "horizontalaccuracy", "horizontalaccuracym", "accm", "hacc", "gpsaccuracy",
        "locationaccuracy", "locationhorizontalaccuracy", "positionaccuracy", "coordsaccuracy", "accuracymeters",
        "accuracymetres", "genauigkeit",
      ]
    ),
    (.stillUntil, ["stilluntil", "stilluntilms"]),
    (.venue, ["venue", "venueid"]),
    (.mocked, ["mocked", "ismocked", "ismock", "mock"]),
  ]

  /// A column's name in lower case without what separates its words and without a unit in brackets: `location-long`,
  /// `locationLong` and `locationLong(WGS84)` are one.
  package static func normalised(_ name: some StringProtocol) -> String {
    var result = ""
    for scalar in name.unicodeScalars.prefix(while: { $0 != "(" && $0 != "[" })
    where scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value) {
      result += scalar.properties.lowercaseMapping
    }
    return result
  }

  /// The meaning of a column with a known name, among fields that may be there.
  static func named(_ name: some StringProtocol, among isFree: (PointField) -> Bool) -> PointField? {
    let name = normalised(name)
    return names.first { isFree($0.field) && $0.names.contains(name) }?.field
  }
}
