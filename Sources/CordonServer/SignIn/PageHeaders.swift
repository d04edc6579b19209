internal import CordonIngest

/// The header fields of pages: what browsers may do with them.
enum PageHeaders {
  /// The content security policy: everything from this origin, nothing inline, in no frame.
  static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'
    """

  /// The fields of a page with data of persons or operators: no cache keeps it, no other origin shows or reads it.
  static var all: [IngestRequest.Header] { [.init("cache-control", "no-store")] + common }

  /// The fields of a page or file without such data; caches keep it, and check it each time.
  static var shared: [IngestRequest.Header] { [.init("cache-control", "no-cache")] + common }

  private static var common: [IngestRequest.Header] {
    [
      .init("content-security-policy", policy), .init("referrer-policy", "no-referrer"),
      .init("x-frame-options", "DENY"), .init("cross-origin-opener-policy", "same-origin"),
      .init("cross-origin-resource-policy", "same-origin"),
      .init("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ]
  }
}
