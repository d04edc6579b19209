#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends the process with status 1.
func exitWithFindings() -> Never { exit(1) }
