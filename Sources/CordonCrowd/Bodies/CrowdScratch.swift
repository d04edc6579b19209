/// The working memory of one thread: the neighbourhood of the person whose step it computes.
final class CrowdScratch {
  /// The neighbours: direction, distance between centres, sum of radii, heading and velocity.
  let unitX: Column<Double>
  let unitY: Column<Double>
  let distance: Column<Double>
  let apart: Column<Double>
  let headingX: Column<Double>
  let headingY: Column<Double>
  let velocityX: Column<Double>
  let velocityY: Column<Double>
  var neighbours = 0
  /// The limits on the displacement of this step: a direction and the maximum length along it.
  let limitX: Column<Double>
  let limitY: Column<Double>
  let limit: Column<Double>
  var limits = 0
  /// The nearby walls: direction to the nearest point, distance and number.
  let wallX: Column<Double>
  let wallY: Column<Double>
  let wallDistance: Column<Double>
  let wall: Column<Int32>
  var wallCount = 0
  // The counters of the step.
  var overlaps = 0
  var minimumGap = Double.infinity
  var wallCrossings = 0

  /// Capacity for neighbours; more than the number of people that fit within reach of each other.
  static let maximumNeighbours = 256
  static let maximumWalls = 256

  init() {
    func column(_ count: Int) -> Column<Double> { Column(repeating: 0, count: count) }
    let others = CrowdScratch.maximumNeighbours
    let walls = CrowdScratch.maximumWalls
    (unitX, unitY, distance, apart) = (column(others), column(others), column(others), column(others))
    (headingX, headingY) = (column(others), column(others))
    (velocityX, velocityY) = (column(others), column(others))
    (limitX, limitY, limit) = (column(others + walls), column(others + walls), column(others + walls))
    (wallX, wallY, wallDistance) = (column(walls), column(walls), column(walls))
    wall = Column(repeating: 0, count: walls)
  }

  func reset() {
    overlaps = 0
    minimumGap = .infinity
    wallCrossings = 0
  }

  @inline(__always)
  func addLimit(_ x: Double, _ y: Double, _ length: Double) {
    limitX.base[limits] = x
    limitY.base[limits] = y
    limit.base[limits] = length
    limits += 1
  }

  @inline(__always)
  func addNeighbour(_ body: CrowdBody, unitX x: Double, unitY y: Double, distance between: Double, apart sum: Double) {
    unitX.base[neighbours] = x
    unitY.base[neighbours] = y
    distance.base[neighbours] = between
    apart.base[neighbours] = sum
    headingX.base[neighbours] = body.headingX
    headingY.base[neighbours] = body.headingY
    velocityX.base[neighbours] = body.velocityX
    velocityY.base[neighbours] = body.velocityY
    neighbours += 1
  }

  /// Returns a displacement that respects every limit: it slides along obstacles first, and is then shortened.
  @inline(__always)
  func limited(_ wishX: Double, _ wishY: Double) -> (x: Double, y: Double) {
    var x = wishX
    var y = wishY
    guard limits > 0 else { return (x, y) }
    for _ in 0..<3 {
      var changed = false
      for index in 0..<limits {
        let over = x * limitX.base[index] + y * limitY.base[index] - max(limit.base[index], 0)
        if over > 0 {
          x -= over * limitX.base[index]
          y -= over * limitY.base[index]
          changed = true
        }
      }
      if !changed { return (x, y) }
    }
    var scale = 1.0
    for index in 0..<limits {
      let way = x * limitX.base[index] + y * limitY.base[index]
      let left = max(limit.base[index], 0)
      if way * scale > left { scale = way > 0 ? left / way : 0 }
    }
    return (x * scale, y * scale)
  }
}
