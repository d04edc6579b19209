/// A list of small numbers for each cell of a grid, in one block of memory.
///
/// `@unchecked Sendable` holds because the buffers are written only in `init`.
final class CellLists: @unchecked Sendable {
  private let starts: UnsafeMutablePointer<Int32>
  private let items: UnsafeMutablePointer<Int32>

  /// Builds the lists; each is in the order of the items.
  ///
  /// `cells` calls back with each cell of an item and must give the same cells each time.
  init(cellCount: Int, itemCount: Int, cells: (_ item: Int, _ body: (Int) -> Void) -> Void) {
    let starts = UnsafeMutablePointer<Int32>.allocate(capacity: cellCount + 1)
    starts.initialize(repeating: 0, count: cellCount + 1)
    for item in 0..<itemCount { cells(item) { starts[$0] += 1 } }
    var total: Int32 = 0
    for index in 0...cellCount {
      total += starts[index]
      starts[index] = total
    }
    let items = UnsafeMutablePointer<Int32>.allocate(capacity: max(Int(total), 1))
    // Backwards, so that the ends of the lists become their starts.
    for item in stride(from: itemCount - 1, through: 0, by: -1) {
      cells(item) {
        starts[$0] -= 1
        (items + Int(starts[$0])).initialize(to: Int32(item))
      }
    }
    (self.starts, self.items) = (starts, items)
  }

  deinit {
    starts.deallocate()
    items.deallocate()
  }

  @inline(__always)
  func start(of cell: Int) -> Int { Int(starts[cell]) }

  @inline(__always)
  func item(_ index: Int) -> Int { Int(items[index]) }
}
