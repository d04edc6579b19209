public import CordonCore
import CordonGeometry

/// A transformation that places a plan in metres, or another unit of length, on the earth.
///
/// An affine map to metres east and north of an origin is fitted to control points by least squares. Two points
/// determine a similarity and three points an affine map. With more points, the residual states the quality of the fit.
public struct Georeference: Hashable, Sendable {
  /// A point of the plan and its position on the earth.
  public struct ControlPoint: Hashable, Sendable {
    /// The first coordinate of a position in the plan.
    public var x: Double
    /// The second coordinate of a position in the plan.
    public var y: Double
    /// The position on the earth.
    public var coordinate: Coordinate

    /// Creates a control point from plan coordinates and a position.
    public init(x: Double, y: Double, coordinate: Coordinate) {
      self.x = x
      self.y = y
      self.coordinate = coordinate
    }
  }

  /// The class of permitted transformations.
  public enum Model: String, Hashable, Sendable, CaseIterable {
    /// Translation, rotation and one scale (Helmert transformation), which keeps angles. Two points determine it.
    case similarity
    /// Also different scales and a skew. Three points determine it.
    case affine
  }

  private let frame: LocalFrame
  private let center: PlanePoint
  private let east: (x: Double, y: Double, shift: Double)
  private let north: (x: Double, y: Double, shift: Double)
  /// Root mean square of the distances between the control points and their transformed positions, in metres.
  public let residual: Double

  /// Fits a transformation to control points.
  /// - Throws: `VenueError` with the code `control-points` if there are too few points, or if they are not finite or
  ///   lie on one line.
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
    // With centred coordinates, the shifts drop out of the normal equations.
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

  /// Returns the position on the earth of a point of the plan.
  public func apply(x: Double, y: Double) -> Coordinate {
    let (dx, dy) = (x - center.x, y - center.y)
    return frame.unproject(
      PlanePoint(
        x: east.x * dx + east.y * dy + east.shift, y: north.x * dx + north.y * dy + north.shift))
  }

  private static let degenerate = VenueError(
    code: "control-points", file: "", message: "the control points lie on one line or at one place")

  /// Checks whether two transformations have the same coefficients.
  public static func == (lhs: Georeference, rhs: Georeference) -> Bool {
    lhs.frame == rhs.frame && lhs.center == rhs.center && lhs.east == rhs.east && lhs.north == rhs.north
  }

  /// Hashes the centre and a part of the coefficients.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(center)
    hasher.combine(east.x)
    hasher.combine(north.x)
  }
}
