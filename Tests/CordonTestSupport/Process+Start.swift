package import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Process {
  /// Starts the program with no signal blocked.
  ///
  /// Threads of the pool block signals, and a program inherits that: `mosquitto_sub -W 1` does not get its SIGALRM and waits for ever.
  /// - Throws: what `run()` throws.
  package func start() throws {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try run()
  }
}
