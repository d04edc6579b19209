internal import CordonIngest

extension IngestResponder {
  /// The maximum time that a receipt waits for another server. Its client then asks again.
  static let erasurePatience = Duration.seconds(5)

  /// Returns a response. In place of the refusal of an erasure that another server has to finish it returns the receipt, when that
  /// server is done within ``erasurePatience``.
  func finished(_ response: IngestResponse) async -> IngestResponse {
    guard let held = response.held else { return response }
    let end = ContinuousClock.now + Self.erasurePatience
    while ContinuousClock.now < end {
      do {
        if try await !writer.isErasureOpen(of: held.device) { return held.response }
        try await Task.sleep(for: .milliseconds(100))
      } catch {
        return response
      }
    }
    return response
  }
}
