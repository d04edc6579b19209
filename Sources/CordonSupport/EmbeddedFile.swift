/// Returns the bytes of a file that the program carries.
///
/// - Parameter file: A function of a module of C such as `CReportPages`: it returns the first byte, and stores the number of bytes.
package func embeddedFile(_ file: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>) -> [UInt8] {
  var count = 0
  let bytes = file(&count)
  return Array(UnsafeBufferPointer(start: bytes, count: count))
}
