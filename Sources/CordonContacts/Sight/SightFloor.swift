internal import CContactKernel
internal import CordonGeometry

/// The walls of one floor as the kernel wants them.
struct SightFloor: Sendable {
  private let lines: [cordon_contact_wall]
  private let boxes: [cordon_contact_wall_box]
  private let raster: SightRaster?

  /// Walls with a coordinate that is not finite or beyond 10⁸ m, or without length, are never in the way.
  /// - Parameters:
  ///   - distance: the contact distance, metres.
  ///   - hasRaster: without one every wall is tried.
  init(_ walls: WallIndex, distance: Double, hasRaster: Bool = true) {
    let usable = walls.walls.filter { wall in
      wall.a != wall.b
        && [wall.a.x, wall.a.y, wall.b.x, wall.b.y].allSatisfy { abs($0) <= 1e8 }
    }
    lines = usable.map { wall in
      let (dx, dy) = (wall.b.x - wall.a.x, wall.b.y - wall.a.y)
      let length = (dx * dx + dy * dy).squareRoot()
      return cordon_contact_wall(x: wall.a.x, y: wall.a.y, ux: dx / length, uy: dy / length, length: length)
    }
    boxes = usable.map { wall in
      cordon_contact_wall_box(
        sides: (min(wall.a.x, wall.b.x), min(wall.a.y, wall.b.y), -max(wall.a.x, wall.b.x), -max(wall.a.y, wall.b.y)))
    }
    // Beyond this, lists of near walls would hold most of them.
    raster = hasRaster && distance <= 36 ? SightRaster(usable, halfDistance: distance * 0.5 + 1e-3) : nil
  }

  /// Lends the walls to the kernel; `nil` for no floor.
  static func withKernelForm<Result>(
    of floor: SightFloor?, _ body: (UnsafePointer<cordon_contact_walls>?) -> Result
  ) -> Result {
    guard let floor else { return body(nil) }
    return floor.lines.withUnsafeBufferPointer { lines in
      floor.boxes.withUnsafeBufferPointer { boxes in
        var form = cordon_contact_walls()
        form.walls = lines.baseAddress
        form.boxes = boxes.baseAddress
        form.wall_count = UInt32(lines.count)
        guard let raster = floor.raster else { return body(&form) }
        return raster.lend(&form, to: body)
      }
    }
  }
}

extension SightRaster {
  /// Adds the raster to the kernel's form of the walls.
  fileprivate func lend<Result>(
    _ form: inout cordon_contact_walls, to body: (UnsafePointer<cordon_contact_walls>?) -> Result
  ) -> Result {
    form.left = left
    form.bottom = bottom
    form.per_metre = 1 / cell
    form.columns = UInt32(columns)
    form.rows = UInt32(rows)
    form.window_columns = UInt32(windowColumns)
    form.window_rows = (windowRows[0], windowRows[1], windowRows[2], windowRows[3])
    form.short_way = shortWay
    form.long_way = longWay
    form.list_columns = UInt32(listColumns)
    form.list_cells = UInt32(listColumns * listRows)
    return windows.withUnsafeBufferPointer { windows in
      starts.withUnsafeBufferPointer { starts in
        near.withUnsafeBufferPointer { near in
          form.windows = windows.baseAddress
          form.starts = starts.baseAddress
          form.near = near.baseAddress
          return body(&form)
        }
      }
    }
  }
}
