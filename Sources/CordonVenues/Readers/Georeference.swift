public import CordonCore
import CordonGeometry

/// Places a plan drawn in metres (or any unit of length) on the earth.
///
/// Six numbers of an affine map to metres east and north of an origin, fitted by least squares to
/// three or more control points. Three points fit exactly; more leave a residual that says how well the
/// plan fits.
public struct Georeference: Hashable, Sendable {
  /// A place of the plan and where it is.
  public struct ControlPoint: Hashable, Sendable {
    /// First number of a position in the plan.
    public var x: Double
    /// Second number of a position in the plan.
    public var y: Double
    /// The place on the earth.
    public var coordinate: Coordinate

    /// Pairs (`x`, `y`) of the plan with a place.
    public init(x: Double, y: Double, coordinate: Coordinate) {
      self.x = x
      self.y = y
      self.coordinate = coordinate
    }
  }

  /// Which maps are allowed.
  public enum Model: String, Hashable, Sendable, CaseIterable {
    /// Shift, rotation and one scale (Helmert): keeps angles. Two points determine it.
    case similarity
    /// Also different scales and a skew. Three points determine it.
    case affine
  }

  private let frame: LocalFrame
  private let center: PlanePoint
  private let east: (x: Double, y: Double, shift: Double)
  private let north: (x: Double, y: Double, shift: Double)
  /// Root mean square of the distances between the control points and where the plan puts them, in metres.
  public let residual: Double

  /// Fits a map. Errors: `control-points` when there are too few, they are not finite, or they lie on one line.
  public init(_ points: [ControlPoint], model: Model = .similarity) throws(VenueError) {
    let needed = model == .affine ? 3 : 2
    guard let first = points.first, points.count >= needed,
      points.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.coordinate.isValid })
    else {
      throw VenueError(
        code: "control-points", file: "", message: "\(needed) control points with finite numbers are needed")
    }
    let frame = LocalFrame(origin: first.coordinate)
    let targets = points.map { frame.project($0.coordinate) }
    let count = Double(points.count)
    // Centred, the shifts fall out of the normal equations.
    let center = PlanePoint(
      x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    let shift = PlanePoint(
      x: targets.reduce(0) { $0 + $1.x } / count, y: targets.reduce(0) { $0 + $1.y } / count)
    var (xx, xy, yy, xe, ye, xn, yn) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for (point, target) in zip(points, targets) {
      let (x, y, e, n) = (point.x - center.x, point.y - center.y, target.x - shift.x, target.y - shift.y)
      xx += x * x
      xy += x * y
      yy += y * y
      xe += x * e
      ye += y * e
      xn += x * n
      yn += y * n
    }
    switch model {
    case .similarity:
      let spread = xx + yy
      guard spread > 1e-12 else { throw Georeference.degenerate }
      let (a, b) = ((xe + yn) / spread, (xn - ye) / spread)
      (east, north) = ((a, -b, shift.x), (b, a, shift.y))
    case .affine:
      let determinant = xx * yy - xy * xy
      guard determinant > 1e-12 * max(xx * yy, 1e-12) else { throw Georeference.degenerate }
      east = ((xe * yy - ye * xy) / determinant, (ye * xx - xe * xy) / determinant, shift.x)
      north = ((xn * yy - yn * xy) / determinant, (yn * xx - xn * xy) / determinant, shift.y)
    }
    self.frame = frame
    self.center = center
    var squares = 0.0
    for (point, target) in zip(points, targets) {
      let (x, y) = (point.x - center.x, point.y - center.y)
      let de = east.x * x + east.y * y + shift.x - target.x
      let dn = north.x * x + north.y * y + shift.y - target.y
      squares += de * de + dn * dn
    }
    residual = (squares / count).squareRoot()
  }

  /// Where a place of the plan is on the earth.
  public func apply(x: Double, y: Double) -> Coordinate {
    let (dx, dy) = (x - center.x, y - center.y)
    return frame.unproject(
      PlanePoint(
        x: east.x * dx + east.y * dy + east.shift, y: north.x * dx + north.y * dy + north.shift))
  }

  private static let degenerate = VenueError(
    code: "control-points", file: "", message: "the control points lie on one line or at one place")

  /// Whether two maps have the same numbers.
  public static func == (lhs: Georeference, rhs: Georeference) -> Bool {
    lhs.frame == rhs.frame && lhs.center == rhs.center && lhs.east == rhs.east && lhs.north == rhs.north
  }

  /// Feeds what tells maps apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(center)
    hasher.combine(east.x)
    hasher.combine(north.x)
  }
}
