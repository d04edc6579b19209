#if canImport(Glibc)
  import Foundation
  package import Glibc

  /// A PostgreSQL server of the tests alone, on a socket in a temporary folder. It ends with the process that started it.
  ///
  /// `@unchecked Sendable` holds because all properties are constants, but `child`, which is only touched under `lock`.
  package final class PostgresServer: @unchecked Sendable {
    /// The folder of the data and the socket.
    package let folder: String
    private let lock = NSLock()
    private var child: Child?
    private let programs: String

    /// A failure of the server's programs.
    package struct Failure: Error, CustomStringConvertible {
      package var description: String
    }

    /// The folder of the newest installed server's programs; `nil` without one.
    package static let programs: String? = {
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
      return versions.compactMap(Int.init).filter { $0 >= 15 }.sorted().last.map { "/usr/lib/postgresql/\($0)/bin" }
    }()

    /// Whether the tests can run one: it is installed, and there is a user for it, since it refuses to run as root.
    package static var isAvailable: Bool { programs != nil && (getuid() != 0 || getpwnam("postgres") != nil) }

    /// A server that the tests of a process share; it is started at its first use.
    package static let shared = Result { try PostgresServer() }

    private let settings: [String]

    /// Makes a new cluster and starts it.
    /// - Parameter settings: settings of the server besides those of all tests, such as `wal_recycle=off`.
    package init(_ settings: [String] = []) throws {
      self.settings = settings
      guard let programs = Self.programs else { throw Failure(description: "PostgreSQL is not installed") }
      self.programs = programs
      folder = "/tmp/cpg-\(UInt32.random(in: 0 ... .max))"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      if getuid() == 0, let user = getpwnam("postgres") {
        guard chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
          throw Failure(description: "\(folder): cannot be given to postgres")
        }
      }
      let made = try run(
        "initdb", ["-D", folder + "/data", "-U", "cordon", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"])
      guard made.status == 0 else { throw Failure(description: made.errors) }
      try start()
    }

    private func command(_ program: String, _ arguments: [String]) -> (String, [String]) {
      let path = programs + "/" + program
      return getuid() == 0 ? ("/usr/sbin/runuser", ["-u", "postgres", "--", path] + arguments) : (path, arguments)
    }

    /// Runs one of its programs to the end.
    @discardableResult
    package func run(_ program: String, _ arguments: [String]) throws -> TestProcess.Result {
      let (path, words) = command(program, arguments)
      return try TestProcess.run(URL(fileURLWithPath: path), words, in: URL(fileURLWithPath: "/tmp"))
    }

    /// Starts it, and waits until it takes connections.
    package func start() throws {
      let (path, words) = command(
        "postgres",
        [
          "-D", folder + "/data", "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off", "-c",
          "full_page_writes=off",
          "-c", "shared_buffers=32MB", "-c", "max_connections=200", "-c", "log_min_messages=fatal",
        ] + settings.flatMap { ["-c", $0] })
      // The server ends when this process, which holds the other end of the standard input, is gone.
      let started = try Child(
        "/bin/sh",
        [
          "-c",
          #""$@" </dev/null >/dev/null 2>&1 & child=$!; read -r line; kill -QUIT $(head -1 "$0/data/postmaster.pid") 2>/dev/null; "#
            + #"wait $child; [ "$line" = keep ] || rm -rf "$0""#,
          folder, path,
        ] + words, in: "/tmp")
      lock.withLock { child = started }
      for _ in 0..<600 {
        if try run("pg_isready", ["-q", "-h", folder]).status == 0 { return }
      }
      throw Failure(description: "PostgreSQL does not start")
    }

    /// The process that accepts connections.
    package var number: pid_t? {
      let text = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
      return text?.split(separator: "\n").first.flatMap { pid_t($0) }
    }

    /// Ends it as a failure of the machine would: all processes at once, nothing written.
    package func kill() {
      if let number { _ = Glibc.kill(number, SIGQUIT) }
      wait()
    }

    private func wait() {
      let ended = lock.withLock { () -> Child? in
        defer { child = nil }
        return child
      }
      guard let ended else { return }
      _ = Array("keep\n".utf8).withUnsafeBytes { write(ended.input, $0.baseAddress, $0.count) }
      ended.wait()
    }

    /// Makes an empty database and returns its URL.
    package func database() throws -> String {
      let name = "t\(UInt32.random(in: 0 ... .max))"
      let made = try run("createdb", ["-h", folder, "-U", "cordon", name])
      guard made.status == 0 else { throw Failure(description: made.errors) }
      return url(name)
    }

    /// The URL of a database.
    package func url(_ name: String, user: String = "cordon") -> String {
      "postgresql://\(user)@/\(name)?host=\(folder.replacingOccurrences(of: "/", with: "%2F"))"
    }

    /// Runs statements, and returns the rows as psql prints them: columns with bars between.
    @discardableResult
    package func sql(_ statements: String, at url: String) throws -> String {
      let done = try run("psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", statements])
      guard done.status == 0 else { throw Failure(description: done.errors) }
      return done.output.trimmingCharacters(in: .newlines)
    }

    deinit {
      kill()
      _ = try? TestProcess.run(URL(fileURLWithPath: "/bin/rm"), ["-rf", folder])
    }
  }
#endif
