/// A small MVF 3 bundle: two rooms side by side with a door between them, a door out, a desk, stairs to a floor above.
struct MVF3Fixture {
  var files: [String: String]

  init() {
    let room = Drawing.feature(Drawing.box(0, 0, 10, 10), #""id":"g_a","details":{"name":""}"#)
    let hall = Drawing.feature(Drawing.box(10.2, 0, 20, 10), #""id":"g_b""#)
    let wall = Drawing.feature(Drawing.line(10.1, 0, 10.1, 10), #""id":"g_w""#)
    let door = Drawing.feature(Drawing.line(10.1, 4, 10.1, 5), #""id":"g_d""#)
    let out = Drawing.feature(Drawing.line(0, 4, 0, 5), #""id":"g_o""#)
    let desk = Drawing.feature(Drawing.box(2, 2, 3, 4), #""id":"g_desk""#)
    let low = Drawing.feature(Drawing.point(15, 8), #""id":"g_s0""#)
    let high = Drawing.feature(Drawing.point(15, 8), #""id":"g_s1""#)
    let upper = Drawing.feature(Drawing.box(10, 0, 20, 10), #""id":"g_u""#)
    let p1 = Drawing.feature(Drawing.point(9.5, 4.5), #""id":"g_d-p1""#)
    let p2 = Drawing.feature(Drawing.point(10.7, 4.5), #""id":"g_d-p2""#)
    files = [
      "manifest.geojson": Drawing.collection([
        Drawing.feature(
          Drawing.point(5, 5),
          #""name":"Test House","version":"3.0.0","tzid":"Europe/Zurich","contents":[{"type":"file","name":"floor.geojson"},{"type":"folder","name":"geometry","children":[{"type":"file","name":"f_0.geojson"}]}]"#
        )
      ]),
      "floors.geojson": Drawing.collection([
        Drawing.feature(
          Drawing.box(10, 0, 20, 10), #""id":"f_1","elevation":1,"details":{"name":{"en":"First","de":"Erster"}}"#),
        Drawing.feature(
          Drawing.box(0, 0, 20, 10), #""id":"f_0","elevation":0,"details":{"name":"Ground","shortName":"G"}"#),
      ]),
      "floor-stacks.json": #"[{"id":"fs_1","floors":["f_0","f_1","f_9"],"details":{"name":"House"}}]"#,
      "geometry/f_0.geojson": Drawing.collection([room, hall, wall, door, out, desk, low, p1, p2]),
      "geometry/f_1.geojson": Drawing.collection([upper, high]),
      "kinds/f_0.json": #"{"g_a":"room","g_b":"hallway","g_w":"wall","g_desk":"object"}"#,
      "kinds/f_1.json": #"{"g_u":"room"}"#,
      "walkable/f_0.json": #"{"g_a":{},"g_b":{},"g_d":{}}"#,
      "nonwalkable/f_0.json": #"{"g_w":{},"g_desk":{}}"#,
      "navigationFlags.json": #"{"accessible":{"index":0,"bit":2}}"#,
      "connections.json": """
      [{"id":"c_d","type":"door","entrances":[{"geometryId":"g_d","floorId":"f_0","flags":[4]}],
        "exits":[{"geometryId":"g_d-p1","floorId":"f_0"},{"geometryId":"g_d-p2","floorId":"f_0"}],"entryCost":100},
       {"id":"c_o","type":"door","entrances":[{"geometryId":"g_o","floorId":"f_0"}],"exits":[],"entryCost":100},
       {"id":"c_s","type":"stairs","entrances":[{"geometryId":"g_s0","floorId":"f_0","flags":[4]},
        {"geometryId":"g_s1","floorId":"f_1","flags":[4]}],"exits":[],"entryCost":9e99,"floorCostMultiplier":1000},
       {"id":"c_x","type":"ramp","entrances":[{"geometryId":"g_gone","floorId":"f_0"}],"exits":[]}]
      """,
      "nodes/f_0.geojson": Drawing.collection([
        Drawing.feature(
          Drawing.point(5, 5),
          #""id":"n_1","geometryIds":["g_a"],"neighbors":[{"id":"n_2","extraCost":2},{"id":"n_gone","extraCost":2},{"id":"n_3","extraCost":2147483647}]"#
        ),
        Drawing.feature(
          Drawing.point(9.5, 4.5),
          #""id":"n_2","geometryIds":["g_d","g_d-p1"],"neighbors":[{"id":"n_1","extraCost":2}]"#),
        Drawing.feature(Drawing.point(10.7, 4.5), #""id":"n_3","geometryIds":["g_d","g_d-p2"],"neighbors":[]"#),
        Drawing.feature(Drawing.point(40, 5), #""id":"n_4","neighbors":[]"#),
      ]),
      "nodes/f_1.json": Drawing.collection([]),
      "locations.json": """
      [{"id":"loc_1","details":{"name":"Meeting Room 1"},"categories":["lcat_1","lcat_gone"],
        "geometryAnchors":[{"geometryId":"g_a","floorId":"f_0"}],"openingHours":[{"opens":"09:00"}]},
       {"id":"loc_2","details":{"name":"Desk 7"},"categories":[],"geometryAnchors":[{"geometryId":"g_desk","floorId":"f_0"}]},
       {"id":"loc_3","details":{"name":"Nowhere"},"geometryAnchors":[{"geometryId":"g_gone","floorId":"f_0"}]}]
      """,
      "location-categories.json": #"[{"id":"lcat_1","parent":"lcat_0","details":{"name":"Rooms"}}]"#,
    ]
  }
}
