import CordonCore
import CordonSupport
import Foundation

/// A run folder during its creation.
///
/// All files are written to a hidden folder beside the target. It is renamed to the target when it is complete, so a
/// reader sees a complete run or none.
///
///     let folder = try RunFolder.prepare(at: "out/monday", replacing: false)
///     let outputs = try folder.write(contents, threads: 2) { RunTimings(cpuSeconds: used) }
public struct RunFolder: Sendable {
  /// The path of the target, as given.
  public let path: String
  /// The path of the hidden folder. Further files in it become part of the run and of its manifest.
  public let buildPath: String
  private let isReplacing: Bool

  /// Checks whether the target can be written, and creates the hidden folder. Call it before the work starts.
  ///
  /// - Parameters:
  ///   - path: the folder to create, including missing parent folders.
  ///   - isReplacing: whether an existing run may be replaced. Only an empty folder, or a folder with only the files of
  ///     a run, is ever removed.
  /// - Throws: ``RunFolderError`` if the target exists and may not be replaced, or if the hidden folder cannot be
  ///   created.
  public static func prepare(at path: String, replacing isReplacing: Bool) throws -> RunFolder {
    guard !path.isEmpty else { throw RunFolderError(.cannotWrite, path: "''", message: "a folder needs a name") }
    let target = URL(fileURLWithPath: path).standardizedFileURL
    try checkTarget(path, isReplacing: isReplacing)
    let parent = target.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      for attempt in 0... {
        let suffix = attempt == 0 ? "" : ".\(attempt)"
        let name = ".\(target.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier)\(suffix).partial"
        let build = parent.appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: build.path) { continue }
        try FileManager.default.createDirectory(at: build, withIntermediateDirectories: false)
        return RunFolder(path: path, buildPath: build.path, isReplacing: isReplacing)
      }
    } catch {
      throw RunFolderError(.cannotWrite, path: path, message: "cannot be made: \(SystemReason.text(of: error))")
    }
    throw RunFolderError(.cannotWrite, path: path, message: "no free name for a temporary folder")
  }

  /// Writes the run and moves it into place. After an error, the hidden folder is removed and the target is unchanged.
  ///
  /// - Parameter contents: the run, with rows in any order.
  /// - Returns: the paths of the files of the run.
  /// - Throws: ``RunFolderError`` if a file cannot be written.
  @discardableResult
  public func write(_ contents: RunContents) throws -> [String] {
    try write(contents, threads: 1) { RunTimings() }.map(\.path)
  }

  /// Writes the run and moves it into place. After an error, the hidden folder is removed and the target is unchanged.
  ///
  /// - Parameters:
  ///   - contents: the run, with rows in any order.
  ///   - contactFiles: the tables of contacts; `nil` for the default of ``ContactFiles``.
  ///   - threads: with 2 or more, a second thread writes the database. The files do not depend on it.
  ///   - timings: called once, when everything except the manifest is written.
  /// - Returns: the files of the run at their final paths.
  /// - Throws: ``RunContentsError`` if the contents are inconsistent, ``RunFolderError`` if a file cannot be written.
  package func write(
    _ contents: RunContents, contactFiles: ContactFiles? = nil, threads: Int = 1, timings: () -> RunTimings
  ) throws -> [RunOutput] {
    do {
      try contents.check()
      let contents = contents.ordered()
      let database = DatabaseJob(contents: contents, path: file("run.sqlite"))
      if threads > 1 { database.begin() }
      // Nobody may write into the folder when it is removed, whatever happens here.
      let contactFiles = contactFiles ?? .standard(contacts: contents.contacts.count)
      let written = Result { try writeTables(contents, contactFiles) }
      let databaseHash: String
      do {
        let hash = Result { try DumpTables.hash(of: contents) }
        try database.finish()
        databaseHash = try hash.get()
      } catch {
        throw RunFolderError(.cannotWrite, path: path, place: "run.sqlite", message: "\(error)")
      }
      var entries = try written.get()
      entries.append(.init(name: "run.sqlite", sha256: databaseHash, isDatabase: true))
      entries += try foreignFiles(except: Set(entries.map(\.name)))
      entries.sort { $0.name < $1.name }
      let manifest = RunManifest(contents: contents, entries: entries, timings: timings(), outputPath: path)
      _ = try put(RunManifest.fileName) { try $0(Array((manifest.json.text(pretty: true) + "\n").utf8)) }
      try moveIntoPlace()
    } catch {
      discard()
      throw error
    }
    return RunFolder.outputs(at: path)
  }

  /// Writes everything except the database.
  private func writeTables(_ contents: RunContents, _ contactFiles: ContactFiles) throws -> [RunManifest.Entry] {
    let totals = PairTotals(contents: contents)
    var entries = [
      try put("occupancy.csv") { try OccupancyCSV.write(contents, to: $0) },
      try put("spaces.csv") { try SpacesCSV.write(contents, to: $0) },
      try put("groups.csv") { try GroupsCSV.write(contents, to: $0) },
      try put("queues.csv") { try QueuesCSV.write(contents, to: $0) },
      try put("flows.csv") { try FlowsCSV.write(contents, to: $0) },
      try put("people.csv") { try PeopleCSV.write(contents, totals: totals, to: $0) },
    ]
    if let air = contents.air {
      entries += try AirCSV.all.map { table in try put(table.name) { try table.write(air, of: contents, to: $0) } }
    }
    if contactFiles == .all { entries.append(try put("contacts.csv") { try ContactsCSV.write(contents, to: $0) }) }
    if contactFiles != .none {
      entries.append(try put("pairs.csv") { try PairsCSV.write(contents, totals: totals, to: $0) })
    }
    if !contents.truth.isEmpty {
      entries.append(
        try put(TrajectoryFile.name) { sink in
          try sink(
            TrajectoryFile.encode(
              contents.truth, origin: contents.parameters.frameOrigin, start: contents.parameters.start
            ).bytes)
        })
    }
    entries.append(try put("report.html") { try $0(ReportPage(contents: contents, totals: totals).bytes()) })
    return entries
  }

  /// The paths of all files that `write(_:threads:timings:)` can create in the hidden folder ``buildPath``.
  ///
  /// A process that ends before the run is complete must remove them.
  public var unfinishedFiles: [String] {
    (RunFolder.tables.map { $0 + ".csv" } + [TrajectoryFile.name, "report.html", RunManifest.fileName]).map(file)
      + ["", "-journal", "-wal", "-shm"].map { file("run.sqlite" + $0) }
  }

  /// Removes the hidden folder; the target is unchanged.
  public func discard() {
    try? FileManager.default.removeItem(atPath: buildPath)
  }

  /// The names of the tables that a run folder can hold, without their suffix.
  private static let tables = [
    "contacts", "occupancy", "spaces", "groups", "queues", "flows", "people", "pairs", "air", "air-spaces",
    "air-people",
  ]

  /// Returns the files of a run folder by role; tables and trajectories only if the file exists.
  package static func outputs(at path: String) -> [RunOutput] {
    let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
    let tables = tables.map { RunOutput(role: $0, path: folder + "/" + $0 + ".csv") }
    let optional = tables + [RunOutput(role: "trajectories", path: folder + "/" + TrajectoryFile.name)]
    return [
      RunOutput(role: "folder", path: path),
      RunOutput(role: "report", path: folder + "/report.html"),
      RunOutput(role: "database", path: folder + "/run.sqlite"),
      RunOutput(role: "manifest", path: folder + "/" + RunManifest.fileName),
    ] + optional.filter { FileManager.default.fileExists(atPath: $0.path) }
  }

  func file(_ name: String) -> String { buildPath + "/" + name }

  /// Writes a file in pieces and computes its hash.
  func put(
    _ name: String, pieces: (_ sink: @escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws -> RunManifest.Entry {
    var digest = SHA256()
    do {
      let url = URL(fileURLWithPath: file(name))
      guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
        throw RunFolderError(.cannotWrite, path: path, place: name, message: "cannot be created")
      }
      let handle = try FileHandle(forWritingTo: url)
      defer { try? handle.close() }
      try pieces { bytes in
        digest.update(bytes)
        try handle.write(contentsOf: Data(bytes))
      }
    } catch {
      throw RunFolderError(.cannotWrite, path: path, place: name, message: SystemReason.text(of: error))
    }
    return RunManifest.Entry(name: name, sha256: digest.finalizeHex())
  }

  private func foreignFiles(except known: Set<String>) throws -> [RunManifest.Entry] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: buildPath)
        .filter { !known.contains($0) && $0 != RunManifest.fileName }
        .map { name in
          let bytes = try Data(contentsOf: URL(fileURLWithPath: file(name)))
          return RunManifest.Entry(name: name, sha256: SHA256.hexDigest(of: Array(bytes)))
        }
    } catch {
      throw RunFolderError(.cannotWrite, path: path, message: SystemReason.text(of: error))
    }
  }

  /// Renames the hidden folder. A run that it replaces is renamed first and removed last.
  func moveIntoPlace() throws {
    // Another process may have created the target since `prepare`.
    try RunFolder.checkTarget(path, isReplacing: isReplacing)
    let aside = buildPath + ".old"
    let isThere = (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    do {
      if isThere { try FileManager.default.moveItem(atPath: path, toPath: aside) }
      do {
        try FileManager.default.moveItem(atPath: buildPath, toPath: URL(fileURLWithPath: path).standardizedFileURL.path)
      } catch {
        if isThere { try? FileManager.default.moveItem(atPath: aside, toPath: path) }
        throw error
      }
      if isThere { try? FileManager.default.removeItem(atPath: aside) }
    } catch {
      throw RunFolderError(.cannotWrite, path: path, message: SystemReason.text(of: error))
    }
  }

  private static func checkTarget(_ path: String, isReplacing: Bool) throws(RunFolderError) {
    // Not `fileExists`, which follows links: a dangling link also counts as existing.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard isReplacing else {
      throw RunFolderError(.exists, path: path, message: "exists already")
    }
    guard attributes[.type] as? FileAttributeType == .typeDirectory else {
      throw RunFolderError(.notReplaceable, path: path, message: "exists and is not a folder")
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw RunFolderError(.notReplaceable, path: path, message: "exists and cannot be listed")
    }
    if names.isEmpty { return }
    guard let own = RunFolder.ownFiles(at: path) else {
      throw RunFolderError(
        .notReplaceable, path: path, message: "is not a run of Cordon, so it will not be replaced")
    }
    if let other = names.sorted().first(where: { !own.contains($0) }) {
      throw RunFolderError(
        .notReplaceable, path: path, place: other,
        message: "holds a file that is not the run's, so it will not be replaced")
    }
  }

  /// The starts of the schemas of manifests of Cordon.
  private static let schemas = ["cordon.run/", "cordon.evacuation/"]

  /// Returns the file names in the manifest of a run folder, and that of the manifest; `nil` without a manifest of
  /// Cordon.
  private static func ownFiles(at path: String) -> Set<String>? {
    guard let data = FileManager.default.contents(atPath: path + "/" + RunManifest.fileName),
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let schema = object["schema"] as? String, RunFolder.schemas.contains(where: schema.hasPrefix),
      let outputs = object["outputs"] as? [[String: Any]]
    else { return nil }
    return Set(outputs.compactMap { $0["name"] as? String } + [RunManifest.fileName])
  }
}
