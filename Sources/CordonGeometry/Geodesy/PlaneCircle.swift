/// The smallest circle that encloses points of a plane (Welzl's incremental scheme with moving to the front).
struct PlaneCircle {
  private(set) var x = 0.0
  private(set) var y = 0.0
  private(set) var radius = 0.0

  /// Creates the smallest circle. Complexity: O(*n*) expected, for points in an order that is practically random.
  init(enclosing points: [PlanePoint]) {
    self.init(x: points.first?.x ?? 0, y: points.first?.y ?? 0, radius: 0)
    var points = points
    var i = 0
    while i < points.count {
      let p = points[i]
      if !holds(p) {
        self = PlaneCircle(through: p, enclosing: points[..<i])
        points.remove(at: i)
        points.insert(p, at: 0)
      }
      i += 1
    }
  }

  private init(x: Double, y: Double, radius: Double) {
    (self.x, self.y, self.radius) = (x, y, radius)
  }

  private init(through p: PlanePoint, enclosing points: ArraySlice<PlanePoint>) {
    self.init(x: p.x, y: p.y, radius: 0)
    for i in points.indices where !holds(points[i]) {
      self = PlaneCircle(through: p, points[i], enclosing: points[points.startIndex..<i])
    }
  }

  private init(through p: PlanePoint, _ q: PlanePoint, enclosing points: ArraySlice<PlanePoint>) {
    self.init(diameter: p, q)
    for point in points where !holds(point) {
      self = PlaneCircle(through: p, q, point) ?? self
    }
  }

  private init(diameter p: PlanePoint, _ q: PlanePoint) {
    let (dx, dy) = (q.x - p.x, q.y - p.y)
    self.init(x: p.x + dx / 2, y: p.y + dy / 2, radius: (dx * dx + dy * dy).squareRoot() / 2)
  }

  /// Creates the circle through three points; returns `nil` for three points on a line.
  private init?(through p: PlanePoint, _ q: PlanePoint, _ r: PlanePoint) {
    let (bx, by) = (q.x - p.x, q.y - p.y)
    let (cx, cy) = (r.x - p.x, r.y - p.y)
    let doubled = 2 * (bx * cy - by * cx)
    guard doubled != 0 else { return nil }
    let (b, c) = (bx * bx + by * by, cx * cx + cy * cy)
    let ux = (cy * b - by * c) / doubled
    let uy = (bx * c - cx * b) / doubled
    self.init(x: p.x + ux, y: p.y + uy, radius: (ux * ux + uy * uy).squareRoot())
  }

  private func holds(_ p: PlanePoint) -> Bool {
    let (dx, dy) = (p.x - x, p.y - y)
    // A nanometre of tolerance, so that points on the circle do not alternate.
    let reach = radius * (1 + 1e-14) + 1e-9
    return dx * dx + dy * dy <= reach * reach
  }
}
