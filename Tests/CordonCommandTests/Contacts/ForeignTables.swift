import Testing

/// A table as another program writes it: two devices 0.75 m apart, at 08:00:00 and 08:00:10 on 5 January 2026 (UTC), on
/// floor 1 with accuracies of 4 m where the program has such columns.
struct ForeignTable: CustomTestStringConvertible {
  var name: String
  var text: String
  var devices = ["a", "b"]
  var hasAccuracy = false
  var hasFloor = false
  /// Options that the table needs.
  var options: [String] = []
  /// Assumptions about the table that the command reports.
  var assumes: [String] = []

  var testDescription: String { name }

  static let all: [ForeignTable] = [
    ForeignTable(
      name: "Traccar, CSV",
      text: """
        id,deviceId,protocol,serverTime,deviceTime,fixTime,valid,latitude,longitude,altitude,speed,course,accuracy
        91,1,osmand,2026-01-05T08:00:02.000+00:00,2026-01-05T08:00:00.000+00:00,2026-01-05T08:00:00.000+00:00,true,47.37,8.54,0,0,0,4
        92,1,osmand,2026-01-05T08:00:12.000+00:00,2026-01-05T08:00:10.000+00:00,2026-01-05T08:00:10.000+00:00,true,47.37,8.54,0,0,0,4
        93,2,osmand,2026-01-05T08:00:02.000+00:00,2026-01-05T08:00:00.000+00:00,2026-01-05T08:00:00.000+00:00,true,47.37,8.54001,0,0,0,4
        94,2,osmand,2026-01-05T08:00:12.000+00:00,2026-01-05T08:00:10.000+00:00,2026-01-05T08:00:10.000+00:00,true,47.37,8.54001,0,0,0,4
        """, devices: ["1", "2"], hasAccuracy: true),
    ForeignTable(
      name: "Traccar, tc_positions of MySQL",
      text: """
        "id","protocol","deviceid","servertime","devicetime","fixtime","valid","latitude","longitude","accuracy"
        "91","osmand","1","2026-01-05 08:00:02","2026-01-05 08:00:00","2026-01-05 08:00:00","1","47.37","8.54","4"
        "92","osmand","1","2026-01-05 08:00:12","2026-01-05 08:00:10","2026-01-05 08:00:10","1","47.37","8.54","4"
        "93","osmand","2","2026-01-05 08:00:02","2026-01-05 08:00:00","2026-01-05 08:00:00","1","47.37","8.54001","4"
        "94","osmand","2","2026-01-05 08:00:12","2026-01-05 08:00:10","2026-01-05 08:00:10","1","47.37","8.54001","4"
        """, devices: ["1", "2"], hasAccuracy: true, assumes: ["times without a zone are read as UTC"]),
    ForeignTable(
      name: "OwnTracks recorder",
      text: """
        t,tst,acc,_type,alt,lon,vac,vel,lat,cog,tid,batt
        u,1767600000,4,location,400,8.54,3,0,47.37,0,a,90
        u,1767600010,4,location,400,8.54,3,0,47.37,0,a,90
        u,1767600000,4,location,400,8.54001,3,0,47.37,0,b,90
        u,1767600010,4,location,400,8.54001,3,0,47.37,0,b,90
        """, hasAccuracy: true),
    ForeignTable(
      name: "Overland",
      text: """
        device_id,timestamp,longitude,latitude,horizontal_accuracy,vertical_accuracy,battery_level
        a,2026-01-05T00:00:00-0800,8.54,47.37,4,3,0.9
        a,2026-01-05T00:00:10-0800,8.54,47.37,4,3,0.9
        b,2026-01-05T00:00:00-0800,8.54001,47.37,4,3,0.9
        b,2026-01-05T00:00:10-0800,8.54001,47.37,4,3,0.9
        """, hasAccuracy: true),
    ForeignTable(
      name: "Kepler.gl",
      text: """
        vehicle_id,point_latitude,point_longitude,datetime
        a,47.37,8.54,2026-01-05 08:00:00
        a,47.37,8.54,2026-01-05 08:00:10
        b,47.37,8.54001,2026-01-05 08:00:00
        b,47.37,8.54001,2026-01-05 08:00:10
        """, assumes: ["times without a zone are read as UTC"]),
    ForeignTable(
      name: "Kepler.gl, sample of trips",
      text: """
        id,lat,lng,timestamp
        a,47.37,8.54,2026-01-05T08:00Z
        a,47.37,8.54,2026-01-05T08:00:10Z
        b,47.37,8.54001,2026-01-05T08:00Z
        b,47.37,8.54001,2026-01-05T08:00:10Z
        """),
    ForeignTable(
      name: "MovingPandas, WKT",
      text: """
        ;t;traj_id;geometry
        0;2026-01-05 08:00:00;a;POINT (8.54 47.37)
        1;2026-01-05 08:00:10;a;POINT (8.54 47.37)
        2;2026-01-05 08:00:00;b;POINT (8.54001 47.37)
        3;2026-01-05 08:00:10;b;POINT (8.54001 47.37)
        """, assumes: ["times without a zone are read as UTC"]),
    ForeignTable(
      name: "MovingPandas, columns",
      text: """
        fid,trajectory_id,sequence,t,lon,lat
        1,a,1,2026-01-05 08:00:00+00,8.54,47.37
        2,a,2,2026-01-05 08:00:10+00,8.54,47.37
        3,b,1,2026-01-05 08:00:00+00,8.54001,47.37
        4,b,2,2026-01-05 08:00:10+00,8.54001,47.37
        """),
    ForeignTable(
      name: "scikit-mobility",
      text: """
        lat,lng,datetime,uid
        47.37,8.54,2026-01-05 08:00:00+00:00,a
        47.37,8.54,2026-01-05 08:00:10+00:00,a
        47.37,8.54001,2026-01-05 08:00:00+00:00,b
        47.37,8.54001,2026-01-05 08:00:10+00:00,b
        """),
    ForeignTable(
      name: "Movebank",
      text: """
        event-id,visible,timestamp,location-long,location-lat,sensor-type,tag-local-identifier,individual-local-identifier
        1,true,2026-01-05 08:00:00.000,8.54,47.37,gps,"t1","a"
        2,true,2026-01-05 08:00:10.000,8.54,47.37,gps,"t1","a"
        3,true,2026-01-05 08:00:00.000,8.54001,47.37,gps,"t2","b"
        4,true,2026-01-05 08:00:10.000,8.54001,47.37,gps,"t2","b"
        """, assumes: ["times without a zone are read as UTC"]),
    ForeignTable(
      name: "PostgreSQL, EWKB",
      text: """
        id,user_id,recorded_at,geom
        1,a,2026-01-05 08:00:00+00,0101000020E610000014AE47E17A1421408FC2F5285CAF4740
        2,a,2026-01-05 08:00:10+00,0101000020E610000014AE47E17A1421408FC2F5285CAF4740
        3,b,2026-01-05 08:00:00+00,0101000020E6100000A306D3307C1421408FC2F5285CAF4740
        4,b,2026-01-05 08:00:10+00,0101000020E6100000A306D3307C1421408FC2F5285CAF4740
        """),
    ForeignTable(
      name: "PostgreSQL, ST_AsText and tabs",
      text: """
        person_id\tts\tst_astext\tfloor
        a\t2026-01-05 09:00:00.000000+01\tPOINT(8.54 47.37)\t1
        a\t2026-01-05 09:00:10.000000+01\tPOINT(8.54 47.37)\t1
        b\t2026-01-05 09:00:00.000000+01\tPOINT(8.54001 47.37)\t1
        b\t2026-01-05 09:00:10.000000+01\tPOINT(8.54001 47.37)\t1
        """, hasFloor: true),
    ForeignTable(
      name: "pandas, nanoseconds",
      text: """
        ,user,timestamp,latitude,longitude,accuracy
        0,a,1767600000000000000,47.37,8.54,4.0
        1,a,1767600010000000000,47.37,8.54,4.0
        2,b,1767600000000000000,47.37,8.54001,4.0
        3,b,1767600010000000000,47.37,8.54001,4.0
        """, hasAccuracy: true),
    ForeignTable(
      name: "pandas, dates with nanoseconds",
      text: """
        ,user,timestamp,latitude,longitude
        0,a,2026-01-05 08:00:00.000000000,47.37,8.54
        1,a,2026-01-05 08:00:10.000000000,47.37,8.54
        2,b,2026-01-05 08:00:00.000000000,47.37,8.54001
        3,b,2026-01-05 08:00:10.000000000,47.37,8.54001
        """, assumes: ["times without a zone are read as UTC"]),
    ForeignTable(
      name: "spreadsheet, decimal commas, two columns of time",
      text: """
        Gerät;Datum;Uhrzeit;Breite;Länge;Genauigkeit;Etage
        a;05.01.2026;9:00:00;47,37;8,54;4,0;1
        a;05.01.2026;9:00:10;47,37;8,54;4,0;1
        b;05.01.2026;9:00:00;47,37;8,54001;4,0;1
        b;05.01.2026;9:00:10;47,37;8,54001;4,0;1
        """, hasAccuracy: true, hasFloor: true, options: ["--time-zone", "Europe/Berlin"],
      assumes: ["times without a zone are read in the zone Europe/Berlin", "decimal points"]),
    ForeignTable(
      name: "spreadsheet, units in brackets",
      text: """
        Geräte-ID;Zeitpunkt;Breite [°];Länge [°]
        a;2026-01-05 08:00:00;47,37;8,54
        a;2026-01-05 08:00:10;47,37;8,54
        b;2026-01-05 08:00:00;47,37;8,54001
        b;2026-01-05 08:00:10;47,37;8,54001
        """, assumes: ["times without a zone are read as UTC", "decimal points"]),
    ForeignTable(
      name: "SensorLog",
      text: """
        deviceID(txt),locationTimestamp_since1970(s),locationLatitude(WGS84),locationLongitude(WGS84),locationHorizontalAccuracy(m),locationFloor(Z)
        a,1767600000.000000,47.37,8.54,4.0,1
        a,1767600010.000000,47.37,8.54,4.0,1
        b,1767600000.000000,47.37,8.54001,4.0,1
        b,1767600010.000000,47.37,8.54001,4.0,1
        """, hasAccuracy: true, hasFloor: true),
    ForeignTable(
      name: "AIS",
      text: """
        MMSI,BaseDateTime,LAT,LON,SOG,COG
        1,2026-01-05T08:00:00,47.37,8.54,0,0
        1,2026-01-05T08:00:10,47.37,8.54,0,0
        2,2026-01-05T08:00:00,47.37,8.54001,0,0
        2,2026-01-05T08:00:10,47.37,8.54001,0,0
        """, devices: ["1", "2"], assumes: ["times without a zone are read as UTC"]),
    ForeignTable(
      name: "GPS log with date and time",
      text: """
        tracker_id,utc_date,utc_time,gps_lat,gps_lon,hacc,level
        a,2026/01/05,08:00:00,47.37,8.54,4,1
        a,2026/01/05,08:00:10,47.37,8.54,4,1
        b,2026/01/05,08:00:00,47.37,8.54001,4,1
        b,2026/01/05,08:00:10,47.37,8.54001,4,1
        """, hasAccuracy: true, hasFloor: true),
  ]
}
