import CordonCore
import CordonExchange
import CordonGeometry
import Testing

/// Files in forms that other programs write, and this project never does.
@Suite struct ForeignFilesTests {
  private func read(_ text: String) throws -> Trace { try TraceFile.read(Array(text.utf8), name: "x") }

  private func places(_ track: TraceTrack) -> [[Double]] {
    track.points.map { if case .degrees(let place) = $0.place { [place.longitude, place.latitude] } else { [] } }
  }

  /// The form of togeojson and GPSBabel: one line, and a list of times beside it.
  @Test func lineStringsUseParallelTimes() throws {
    let trace = try read(
      """
      {"type": "FeatureCollection", "features": [{"type": "Feature",
        "properties": {"name": "morning", "coordTimes": ["2026-01-05T09:00:00Z", "2026-01-05T09:00:05.5Z"],
          "accuracies": [4, -1], "floors": [0, 1.5]},
        "geometry": {"type": "LineString", "coordinates": [[8.5, 47.25, 408], [8.5001, 47.2501]]}}]}
      """)
    #expect(trace.format == .geojson && trace.faultCount == 0)
    #expect(trace.tracks.map(\.device) == ["morning"])
    #expect(places(trace.tracks[0]) == [[8.5, 47.25], [8.5001, 47.2501]])
    let points = trace.tracks[0].points
    #expect(points.compactMap { $0.time?.rfc3339 } == ["2026-01-05T09:00:00.000Z", "2026-01-05T09:00:05.500Z"])
    #expect(points.map(\.accuracy) == [4, nil])
    #expect(points.map(\.floor) == [FloorOrdinal(0), FloorOrdinal(1.5)])
    #expect(points.map(\.elevation) == [408, nil])
  }

  @Test func multiLineStringsUseListsOfTimes() throws {
    let trace = try read(
      """
      {"type": "Feature", "properties": {"coordinateProperties": {"times": [["2026-01-05T09:00:00Z"],
        ["2026-01-05T09:01:00Z", "2026-01-05T09:02:00Z"]]}},
       "geometry": {"type": "MultiLineString", "coordinates": [[[8, 47]], [[8.1, 47], [8.2, 47]]]}}
      """)
    #expect(trace.pointCount == 3)
    #expect(
      trace.tracks.flatMap(\.points).compactMap { $0.time?.milliseconds }.map { $0 % 3_600_000 / 60_000 } == [0, 1, 2])
    // With another number of times than places, no time is used.
    let wrong = try read(
      """
      {"type": "Feature", "properties": {"coordTimes": ["2026-01-05T09:00:00Z"]},
       "geometry": {"type": "LineString", "coordinates": [[8, 47], [8.1, 47]]}}
      """)
    #expect(wrong.pointCount == 0)
    #expect(wrong.faults.map(\.reason) == ["a line with 2 places and 1 times"])
  }

  /// Per axis 3 m and 4 m: their root mean square times the radius of 68 % of a circular normal error, sqrt(-2 ln
  /// 0.32).
  @Test func deviationsBecomeThe68PercentRadius() throws {
    let trace = try read(
      """
      $GNRMC,090000.00,A,4722.2000,N,00832.4000,E,0.0,,050126,,,A
      $GNGST,090000.00,,,,,3.0,4.0,
      """)
    let accuracy = try #require(trace.tracks.first?.points.first?.accuracy)
    #expect(abs(accuracy - 12.5.squareRoot() * 1.509_6) < 1e-3)
  }

  /// Points with a `TimeStamp` as other programs write them, and a line without times.
  @Test func placemarksAreRead() throws {
    let trace = try read(
      """
      <?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://earth.google.com/kml/2.1"><Document><Folder>
      <Placemark><name>me</name><TimeStamp><when>2026-01-05T09:00:00Z</when></TimeStamp>
      <Point><coordinates>8.5,47.25,408</coordinates></Point></Placemark>
      <Placemark><name>me</name><TimeStamp><when>2026-01-05T09:00:05Z</when></TimeStamp>
      <Point><coordinates>8.6,47.35</coordinates></Point></Placemark>
      <Placemark><name>path</name><LineString><coordinates>
        8.5,47.25,0 8.6,47.35,0
      </coordinates></LineString></Placemark></Folder></Document></kml>
      """)
    #expect(trace.faultCount == 0)
    #expect(trace.tracks.map(\.name) == ["me", "path"])
    #expect(trace.tracks.map { $0.points.count } == [2, 2])
    #expect(places(trace.tracks[0]) == [[8.5, 47.25], [8.6, 47.35]])
    #expect(trace.tracks[1].points.allSatisfy { $0.time == nil })
  }

  /// The forms of OGC 19-045r3: a moving point with properties of its own times, and a line with `datetimes`.
  @Test func movingFeaturesAreRead() throws {
    let trace = try read(
      """
      {"type": "FeatureCollection", "crs": {"type": "Name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}},
       "features": [{"type": "Feature", "id": "taxi 9", "temporalGeometry": {"type": "MovingPoint",
        "datetimes": ["2011-07-14T22:01:01Z", "2011-07-14T22:01:02Z", 1310680863000],
        "coordinates": [[139.757, 35.627, 5], [139.758, 35.627], [139.759, 35.628]], "interpolation": "Quadratic"},
        "temporalProperties": [{"datetimes": ["2011-07-14T22:01:02Z", 1310680863000],
          "accuracy": {"type": "Measure", "form": "MTR", "values": [4, 6.5], "interpolation": "Step"},
          "speed": {"type": "Measure", "values": [1, 2]}}], "properties": {}},
        {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[8.5, 47.2], [8.6, 47.3]]},
         "properties": {"name": "walk", "datetimes": ["2011-07-14T22:01:01Z", "2011-07-14T22:01:05Z"]}}]}
      """)
    #expect(trace.format == .mfJSON && trace.tracks.map(\.device) == ["taxi 9", "walk"] && trace.faultCount == 0)
    let points = trace.tracks[0].points
    #expect(points.map(\.accuracy) == [nil, 4, 6.5] && points[0].elevation == 5)
    #expect(points.map { $0.time?.milliseconds } == [1_310_680_861_000, 1_310_680_862_000, 1_310_680_863_000])
    #expect(trace.tracks[1].points.map { $0.time?.milliseconds } == [1_310_680_861_000, 1_310_680_865_000])
    #expect(trace.remarks.contains { $0.contains("Quadratic") })
    #expect(throws: TraceError.self) {
      try read(
        """
        {"type": "Feature", "crs": {"type": "Name", "properties": {"name": "EPSG:25832"}},
         "temporalGeometry": {"type": "MovingPoint", "datetimes": [0], "coordinates": [[1, 2]]}}
        """)
    }
  }

  /// A body of the Overland app.
  @Test func overlandBodiesAreRead() throws {
    let trace = try read(
      """
      {"locations": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [-122.030581, 37.3318]},
        "properties": {"timestamp": "2026-01-05T09:00:00-0700", "altitude": 0, "speed": 4, "horizontal_accuracy": 30,
          "vertical_accuracy": -1, "motion": ["driving", "stationary"], "pauses": false, "activity": "other_navigation",
          "desired_accuracy": 100, "deferred": 1000, "significant_change": "disabled", "locations_in_payload": 1,
          "battery_state": "charging", "battery_level": 0.89, "device_id": "", "wifi": "venue"}}],
       "current": {}, "trip": {}}
      """)
    #expect(trace.format == .overland && trace.pointCount == 1)
    let point = try #require(trace.tracks.first?.points.first)
    #expect(point.accuracy == 30)
    #expect(point.time == (try? Instant(rfc3339: "2026-01-05T16:00:00Z")))
  }

  /// Messages of the OwnTracks app: a `tid` and no topic, among messages without places.
  @Test func ownTracksMessagesAreRead() throws {
    let trace = try read(
      """
      {"_type":"location","BSSID":"0:0:0:0:0:0","acc":12,"alt":154,"batt":53,"bs":1,"conn":"w","lat":47.25,"lon":8.5,\
      "m":1,"t":"u","tid":"jp","tst":1767603600,"vac":0,"vel":0}
      {"_type":"transition","event":"enter","lat":47.25,"lon":8.5,"tst":1767603601}
      {"_type":"lwt","tst":1767603602}
      {"_type":"encrypted","data":"AAAA"}
      """)
    #expect(trace.format == .owntracks && trace.pointCount == 1)
    #expect(trace.tracks.map(\.device) == ["jp"])
    #expect(trace.tracks[0].points[0].accuracy == 12)
    #expect(trace.tracks[0].points[0].time == Instant(milliseconds: 1_767_603_600_000))
    #expect(trace.faults.map(\.reason) == ["is encrypted"])
  }

  /// Rows of the published API: one without consent is left out and named.
  @Test func rowsWithoutConsentAreLeftOut() throws {
    let trace = try read(
      """
      [{"device": "a", "time": 1767603600000, "lonlat": [8.5, 47.25], "acc": 5, "floor": 2, "userConsent": true},
       {"device": "b", "time": 1767603600000, "lonlat": [8.5, 47.25], "acc": 5, "userConsent": false}]
      """)
    #expect(trace.format == .ingest)
    #expect(trace.tracks.map(\.device) == ["a"])
    #expect(trace.faults == [TraceFault(line: 2, reason: "a row without the person's consent")])
  }
}
