internal import CContactKernel

/// What decides a contact, as the engine's inner parts need it.
package struct ContactRule: Sendable {
  var distance: Double
  var unknownFloors: ContactFinder.UnknownFloors
  var kernelLevel: Int32
  /// Whether pairs are told apart by their ways; `nil` where that saves time.
  var looksAtWays: Bool?
  /// The walls of floors, by `FloorOrdinal.thousandths`.
  var walls: [Int32: SightFloor] = [:]

  /// The instruction sets that the kernel can use here, the slowest first. All give the same bytes.
  package static var kernelLevels: [Int32] { Array(0...bestKernelLevel) }

  static let bestKernelLevel: Int32 = contact_kernel_best_level()
}
