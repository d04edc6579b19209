import CordonVenues

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// libFuzzer's own main, under the name that the runtime exports.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Fuzzes one reader: `FUZZ_READER` is `archive` (bytes as they come) or the name of a format (files in one text, see
/// ``BundleText``, given to that reader without detection; GeoJSON is detected, since two readers share it).
@main
struct FuzzVenues {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = withUnsafeMutablePointer(to: &arguments) { runDriver(&count, $0, exercise) }
  }
}

private let reader = getenv("FUZZ_READER").map { String(cString: $0) } ?? "archive"

private let exercise: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 = { data, count in
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  do throws(VenueError) {
    if reader == "archive" {
      _ = try VenueLoader.load(bytes: bytes, name: "fuzz.zip")
    } else {
      _ = try VenueLoader.load(
        files: BundleText.files(bytes), as: reader == "geojson" ? nil : VenueFormat(rawValue: reader))
    }
  } catch {
    // Refusing is an answer.
  }
  return 0
}
