#if canImport(Glibc)
  import Foundation
  package import Glibc

  /// A process that a test starts, in a group of its own, with pipes that no other process inherits.
  ///
  /// `@unchecked Sendable` holds because `status`, the only variable, is touched under `lock` only.
  package final class Child: @unchecked Sendable {
    package struct Failure: Error {}

    /// Its number, and that of its group.
    package let number: pid_t
    /// Where its standard input is written.
    package let input: Int32
    /// Where its standard output is read.
    package let output: Int32
    /// Where its standard error is read.
    package let errors: Int32
    private let lock = NSLock()
    private var status: Int32?

    /// Starts it.
    package init(_ program: String, _ arguments: [String], in folder: String = "/") throws {
      let pipes = try (0..<3).map { _ in try Child.pipe() }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, pipes[0].reading, 0)
      posix_spawn_file_actions_adddup2(&actions, pipes[1].writing, 1)
      posix_spawn_file_actions_adddup2(&actions, pipes[2].writing, 2)
      // Nothing else of this process is its business, whether it is open or not.
      for number in Int32(3)..<1_024 { posix_spawn_file_actions_addclose(&actions, number) }
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      posix_spawnattr_setpgroup(&attributes, 0)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
      let shell = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder, program]
      var words: [UnsafeMutablePointer<CChar>?] = (shell + arguments).map { strdup($0) } + [nil]
      defer { for word in words { free(word) } }
      var number = pid_t()
      let code = posix_spawn(&number, shell[0], &actions, &attributes, &words, environ)
      close(pipes[0].reading)
      close(pipes[1].writing)
      close(pipes[2].writing)
      (input, output, errors) = (pipes[0].writing, pipes[1].reading, pipes[2].reading)
      self.number = number
      guard code == 0 else {
        status = -1
        throw Failure()
      }
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
      var ends: [Int32] = [0, 0]
      guard Glibc.pipe(&ends) == 0 else { throw Failure() }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }

    /// Sends a signal. Not to be called by one while another waits: its number may then be somebody else's.
    package func signal(_ signal: Int32) { kill(number, signal) }

    /// Ends it and everything that it has started.
    package func destroy() {
      let hasEnded = lock.withLock { status != nil }
      if !hasEnded { kill(-number, SIGKILL) }
      wait()
    }

    /// Waits for its end. The exit status; 128 and the number of a signal that ended it.
    @discardableResult
    package func wait() -> Int32 {
      lock.withLock {
        if let status { return status }
        var word: Int32 = 0
        while waitpid(number, &word, 0) < 0 { if errno != EINTR { break } }
        let signal = word & 0x7f
        let result = signal == 0 ? (word >> 8) & 0xff : 128 + signal
        status = result
        return result
      }
    }

    deinit {
      destroy()
      for end in [input, output, errors] { close(end) }
    }
  }
#endif
