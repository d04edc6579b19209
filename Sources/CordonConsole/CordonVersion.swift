/// The version of the executables, and of the runs that they write.
package enum CordonVersion {
  package static let current = "0.1.0"
}
