internal import CPostgres
internal import CordonIngest

extension StoreFault {
  /// The fault that an error of the server is.
  ///
  /// The message is the server's first line and its code. It names tables and constraints, never values.
  /// - Parameter result: the failed result of libpq.
  init(_ result: OpaquePointer) {
    let state = Self.state(of: result)
    let text = Self.field(result, "M") ?? "the connection ended"
    self.init(Self.kind(ofState: state), state.isEmpty ? text : "\(text) (PostgreSQL \(state))")
  }

  /// The error code of a failed result; empty where the connection ended.
  static func state(of result: OpaquePointer) -> String { field(result, "C") ?? "" }

  // PG_DIAG_SQLSTATE is 'C' and PG_DIAG_MESSAGE_PRIMARY is 'M' (postgres_ext.h): macros that Swift does not import.
  private static func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
    PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
  }

  /// The kind of an error code (SQLSTATE, PostgreSQL manual, appendix A); an empty code is that of a connection that ended.
  static func kind(ofState state: String) -> Kind {
    switch state {
    case "": .unavailable
    case "53100": .full
    case "57014": .interrupted
    case "55P03": .busy
    case "25006", "57P01", "57P02", "57P03", "57P04", "57P05": .unavailable
    case "XX001", "XX002": .corrupt
    default: state.hasPrefix("08") || state.hasPrefix("53") ? .unavailable : .failed
    }
  }
}
