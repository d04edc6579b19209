internal import CContactKernel

/// The criteria of a contact, in the form that the engine's inner parts need.
package struct ContactRule: Sendable {
  var distance: Double
  var unknownFloors: ContactFinder.UnknownFloors
  var kernelLevel: Int32
  /// Whether a test of their ways rejects pairs before they are solved; `nil` enables it where that saves time.
  var looksAtWays: Bool?
  /// The walls of floors, by `FloorOrdinal.thousandths`.
  var walls: [Int32: SightFloor] = [:]

  /// The instruction sets available to the kernel on this machine, slowest first. All produce the same bytes.
  package static var kernelLevels: [Int32] { Array(0...bestKernelLevel) }

  static let bestKernelLevel: Int32 = cordon_contact_kernel_best_level()
}
