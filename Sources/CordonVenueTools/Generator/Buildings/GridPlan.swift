/// The division of a floor: parallel corridors from west to east, cross corridors, and rows of rooms between them.
///
/// ```
/// ┌──┬────┬──┬────┐  north row
/// ├──┴────┴──┴──┬─┤  corridor
/// │  inner rows │ │  side row
/// ├──┬────┬──┬──┴─┤  corridor
/// └──┴────┴──┴────┘  south row
/// ```
struct GridPlan {
  /// A strip that is divided into rooms, all with their doors on one side.
  struct Row {
    enum Place { case south, north, side, inner }
    var place: Place
    var rect: PlanRect
    var doorSide: PlanSide
    /// The part of the door side that the corridor touches.
    var contact: PlanRange
  }

  /// The dimensions of a kind of building, in centimetres.
  struct Style {
    var corridor: Int
    /// Depth of the rows along the outside.
    var band: Int
    /// Depth of the blocks between corridors.
    var block: Int
    /// Ratio of width to depth of the footprint.
    var aspect: Double
    /// Whether the north row is omitted to leave room for something else.
    var isOpenToNorth = false
  }

  var outline: PlanRect
  /// Corridors from west to east, as ranges of y.
  var corridors: [PlanRange] = []
  /// Cross corridors, as ranges of x; none with a single corridor.
  var crossings: [PlanRange] = []
  /// The bounding rectangle of all corridors.
  var corridorOutline: PlanRect
  /// The blocks that corridors surround.
  var blocks: [PlanRect] = []
  var rows: [Row] = []

  init(width: Int, depth: Int, style: Style) {
    outline = PlanRect(minX: 0, minY: 0, maxX: width, maxY: depth)
    let corridor = style.corridor
    let single = 2 * style.band + 2 * corridor + style.block * 2 / 3
    if style.isOpenToNorth || depth < single || width < 2_000 {
      let south = style.isOpenToNorth ? depth - corridor : GridPlan.rounded((depth - corridor) / 2)
      corridors = [PlanRange(south, south + corridor)]
      corridorOutline = PlanRect(minX: 0, minY: south, maxX: width, maxY: south + corridor)
    } else {
      let gaps = max(1, (depth - 2 * style.band - corridor + (style.block + corridor) / 2) / (style.block + corridor))
      let block = GridPlan.rounded((depth - 2 * style.band - (gaps + 1) * corridor) / gaps)
      var y = style.band
      for _ in 0...gaps {
        corridors.append(PlanRange(y, y + corridor))
        y += corridor + block
      }
      let side = width >= 4_000 ? style.band : 0
      corridorOutline = PlanRect(
        minX: side, minY: style.band, maxX: width - side, maxY: corridors[gaps].upper)
      let inner = corridorOutline.width - 2 * corridor
      let parts = max(1, inner / 4_500)
      let length = GridPlan.rounded((inner - (parts - 1) * corridor) / parts)
      for part in 0..<parts {
        let start = side + part * (length + corridor)
        crossings.append(PlanRange(start, start + corridor))
      }
      crossings.append(PlanRange(corridorOutline.maxX - corridor, corridorOutline.maxX))
    }
    addBlocks()
    addRows(style: style)
  }

  private mutating func addBlocks() {
    for (lower, upper) in zip(corridors, corridors.dropFirst()) {
      for (west, east) in zip(crossings, crossings.dropFirst()) {
        blocks.append(PlanRect(minX: west.upper, minY: lower.upper, maxX: east.lower, maxY: upper.lower))
      }
    }
  }

  private mutating func addRows(style: Style) {
    let ring = corridorOutline
    let contact = PlanRange(ring.minX, ring.maxX)
    rows.append(
      Row(
        place: .south, rect: PlanRect(minX: 0, minY: 0, maxX: outline.maxX, maxY: ring.minY), doorSide: .north,
        contact: contact))
    for block in blocks {
      let along = PlanRange(block.minX, block.maxX)
      if block.height > 1_100 {
        var half = block
        half.maxY = block.minY + GridPlan.rounded(block.height / 2)
        rows.append(Row(place: .inner, rect: half, doorSide: .south, contact: along))
        half.minY = half.maxY
        half.maxY = block.maxY
        rows.append(Row(place: .inner, rect: half, doorSide: .north, contact: along))
      } else {
        rows.append(Row(place: .inner, rect: block, doorSide: .south, contact: along))
      }
    }
    if ring.minX > 0 {
      let along = PlanRange(ring.minY, ring.maxY)
      rows.append(
        Row(
          place: .side, rect: PlanRect(minX: 0, minY: ring.minY, maxX: ring.minX, maxY: ring.maxY), doorSide: .east,
          contact: along))
      rows.append(
        Row(
          place: .side, rect: PlanRect(minX: ring.maxX, minY: ring.minY, maxX: outline.maxX, maxY: ring.maxY),
          doorSide: .west, contact: along))
    }
    if !style.isOpenToNorth {
      rows.append(
        Row(
          place: .north, rect: PlanRect(minX: 0, minY: ring.maxY, maxX: outline.maxX, maxY: outline.maxY),
          doorSide: .south, contact: contact))
    }
  }

  /// Rounds a length to whole decimetres.
  static func rounded(_ centimetres: Int) -> Int { (centimetres + 5) / 10 * 10 }
}
