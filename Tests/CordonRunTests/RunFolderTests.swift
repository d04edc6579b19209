import CordonContacts
import CordonCore
import CordonRun
import CordonSupport
import CordonTestSupport
import Foundation
import Testing

@Suite("Run folders")
struct RunFolderTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private static let tables = [
    "contacts.csv", "occupancy.csv", "spaces.csv", "groups.csv", "queues.csv", "flows.csv", "people.csv", "pairs.csv",
  ]

  @Test(arguments: [
    (ContactFiles.all, ["contacts.csv", "pairs.csv"]), (.pairs, ["pairs.csv"]), (.none, []),
  ])
  func contactTablesAreAChoice(files: ContactFiles, names: [String]) throws {
    let contents = SampleRun().contents
    let folder = try RunFolder.prepare(at: scratch.path("run"), replacing: false)
    let outputs = try folder.write(contents, contactFiles: files) { RunTimings() }
    let written = try FileManager.default.contentsOfDirectory(atPath: scratch.path("run"))
    #expect(written.filter { ["contacts.csv", "pairs.csv"].contains($0) }.sorted() == names)
    #expect(
      outputs.filter { ["contacts", "pairs"].contains($0.role) }.map(\.role).sorted()
        == names.map { String($0.dropLast(4)) })
    // The database has every contact.
    #expect(try RunReader(path: scratch.path("run")).contacts().count == contents.contacts.count)
  }

  @Test func contactsBeyondAMillionAreLeftOutWithANote() {
    #expect(ContactFiles.standard(contacts: 1_000_000) == .all)
    #expect(ContactFiles.note(contacts: 1_000_000) == nil)
    #expect(ContactFiles.standard(contacts: 1_000_001) == .pairs)
    #expect(ContactFiles.note(contacts: 1_234_567)?.contains("1 234 567 contacts are more than 1 000 000") == true)
    #expect(ContactFiles.note(contacts: 1_234_567)?.contains("--contacts all") == true)
  }

  @Test func runsReadBackEqual() throws {
    let contents = SampleRun().contents
    let outputs = try scratch.write(contents, to: "run")
    for output in outputs { #expect(FileManager.default.fileExists(atPath: output.path), "\(output.role)") }
    for path in [scratch.path("run"), scratch.path("run/run.sqlite")] {
      let run = try RunReader(path: path)
      #expect(try run.parameters() == contents.parameters)
      #expect(try run.venue() == contents.venue)
      #expect(try run.people() == contents.people)
      #expect(try Set(run.truth()) == Set(contents.truth))
      #expect(try run.truth().count == contents.truth.count)
      #expect(try Set(run.locations()) == Set(contents.locations))
      #expect(try Set(run.contacts()) == Set(contents.contacts))
      #expect(try run.contacts(.observed).allSatisfy { $0.source == .observed })
      #expect(try run.contacts(.truth).count + run.contacts(.observed).count == contents.contacts.count)
      #expect(try Set(run.occupancy()) == Set(contents.occupancy))
      #expect(try run.summary() == contents.summary)
      #expect(try !run.isPartial())
    }
  }

  @Test func groupsReadBackEqual() throws {
    var contents = SampleRun().contents
    contents.venue.groups = [RunGroup(name: "Labs", spaces: [1, 4], capacity: 9), RunGroup(name: "None", spaces: [])]
    contents.venue.openings = [
      RunOpening(id: "d", name: "A / B", ordinal: FloorOrdinal(1), left: 3, right: -1, entrance: 2)
    ]
    contents.outcome.groupBins = [.init(source: .truth, group: 0, binStart: 0, mean: 1.5, peak: 3)]
    contents.outcome.groups = [
      .init(
        number: 0,
        presence: .init(
          source: .truth, floor: 0, space: ObservedLocation.noSpace, mean: 1, p95: 2, peak: 3, peakTime: 0))
    ]
    contents.outcome.groupEnsemble = [
      .init(floor: 0, space: 0, binStart: 0, mean: 1, p05: 0, p50: 1, p95: 2, peak: 3)
    ]
    contents.outcome.replicaFigures = [
      .init(subject: .group(0), name: .peak, replicas: 1, mean: 3, low: -.infinity, high: .infinity, p05: 3, p95: 3),
      .init(subject: .floor(1_000), name: .mean, replicas: 2, mean: 3, low: 1, high: 4, p05: 3, p95: 3),
    ]
    try scratch.write(contents, to: "run")
    #expect(try RunReader(path: scratch.path("run")).venue() == contents.venue)
    let outputs = try #require(try scratch.json("run/manifest.json")["outputs"] as? [[String: String]])
    let hash = try #require(outputs.first { $0["name"] == "run.sqlite" }?["content_sha256"])
    #expect(try hash == RunReader(path: scratch.path("run")).contentHash())
    contents.outcome.groups[0].number = 2
    #expect(throws: RunContentsError.self) { try scratch.write(contents, to: "other") }
  }

  @Test func anEmptyRunIsValid() throws {
    var contents = SampleRun(people: 0).contents
    contents.venue.spaces = []
    contents.venue.floors = []
    contents.occupancy = []
    contents.summary.agreement = nil
    try scratch.write(contents, to: "run")
    let run = try RunReader(path: scratch.path("run"))
    #expect(try run.summary() == contents.summary)
    #expect(try run.truth().isEmpty)
    #expect(try run.people().isEmpty)
  }

  @Test(arguments: [1, 2]) func theOrderOfRowsDoesNotChangeFiles(threads: Int) throws {
    let contents = SampleRun(people: 20).contents
    var shuffled = contents
    var random = RandomStream(seed: 3, stream: 9)
    shuffled.truth.shuffle(using: &random)
    shuffled.locations.shuffle(using: &random)
    shuffled.contacts.shuffle(using: &random)
    shuffled.occupancy.shuffle(using: &random)
    #expect(shuffled.truth != contents.truth)
    try scratch.write(contents, to: "a")
    let folder = try RunFolder.prepare(at: scratch.path("deep/er/b"), replacing: false)
    _ = try folder.write(shuffled, threads: threads) {
      RunTimings(phases: [.init(name: "x", cpuSeconds: 1, wallSeconds: 2)], cpuSeconds: 3, peakMebibytes: 4, threads: 2)
    }
    for name in RunFolderTests.tables + ["report.html"] {
      #expect(try scratch.text("a/" + name) == scratch.text("deep/er/b/" + name), "\(name)")
    }
    var manifests = [try scratch.json("a/manifest.json"), try scratch.json("deep/er/b/manifest.json")]
    #expect(manifests[0] as NSDictionary != manifests[1] as NSDictionary)
    for index in manifests.indices {
      #expect(manifests[index].removeValue(forKey: "timings") != nil)
      #expect(manifests[index].removeValue(forKey: "output_path") != nil)
    }
    #expect(manifests[0] as NSDictionary == manifests[1] as NSDictionary)
  }

  @Test func onlyKnownFilesAreInTheHiddenFolder() throws {
    let folder = try RunFolder.prepare(at: scratch.path("run"), replacing: false)
    _ = try folder.write(SampleRun().contents) {
      // The database may still have files of its own beside it.
      let made = Set((try? FileManager.default.contentsOfDirectory(atPath: folder.buildPath)) ?? [])
      #expect(
        made.count >= 5 && made.isSubset(of: folder.unfinishedFiles.map { URL(fileURLWithPath: $0).lastPathComponent }))
      return RunTimings()
    }
    #expect(folder.unfinishedFiles.contains(folder.buildPath + "/manifest.json"))
    #expect(folder.unfinishedFiles.contains(folder.buildPath + "/run.sqlite-journal"))
  }

  @Test func theManifestListsEveryFileWithItsHash() throws {
    let folder = try RunFolder.prepare(at: scratch.path("run"), replacing: false)
    try Data("extra".utf8).write(to: URL(fileURLWithPath: folder.buildPath + "/extra.txt"))
    _ = try folder.write(SampleRun().contents) { RunTimings() }
    let manifest = try scratch.json("run/manifest.json")
    #expect(manifest["schema"] as? String == "cordon.run/1")
    #expect(manifest["seed"] as? Int == 7)
    #expect(manifest["partial"] as? Bool == false)
    let outputs = try #require(manifest["outputs"] as? [[String: String]])
    #expect(
      outputs.compactMap { $0["name"] } == [
        "contacts.csv", "extra.txt", "flows.csv", "groups.csv", "occupancy.csv", "pairs.csv", "people.csv",
        "queues.csv",
        "report.html", "run.sqlite", "spaces.csv", "trajectories.ctrj",
      ])
    for output in outputs {
      let name = try #require(output["name"])
      if name == "run.sqlite" {
        #expect(try output["content_sha256"] == RunReader(path: scratch.path("run")).contentHash())
      } else {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path("run/" + name)))
        #expect(output["sha256"] == SHA256.hexDigest(of: Array(bytes)), "\(name)")
      }
    }
  }

  /// The hash covers the rows as they are written, so each kind of value must equal what the file returns.
  @Test func theManifestHashIsTheFileHash() throws {
    var contents = SampleRun().contents
    contents.parameters.others += [
      .init("a_zero", .number(-0.0)), .init("z_none", .null), .init("m_empty", ""),
      .init("list", .array([1, "é\t\n"])),
    ]
    contents.people[1].population = "zwölf\tund\n"
    contents.outcome.figures = [.init("a_figure", -0.0), .init("zz_none", nil), .init("b_nan", .nan)]
    contents.occupancy[0].mean = -0.0
    try scratch.write(contents, to: "run")
    let outputs = try #require(try scratch.json("run/manifest.json")["outputs"] as? [[String: String]])
    let hash = try #require(outputs.first { $0["name"] == "run.sqlite" }?["content_sha256"])
    #expect(try hash == RunReader(path: scratch.path("run")).contentHash())
  }

  @Test func oneChangedValueChangesTheContentHash() throws {
    let contents = SampleRun().contents
    var changed = contents
    changed.locations[5].accuracy += 1e-9
    try scratch.write(contents, to: "a")
    try scratch.write(changed, to: "b")
    #expect(
      try RunReader(path: scratch.path("a")).contentHash() != RunReader(path: scratch.path("b")).contentHash())
  }

  @Test func existingFilesStayWithoutForce() throws {
    let contents = SampleRun().contents
    try scratch.write(contents, to: "run")
    let before = try scratch.text("run/manifest.json")
    #expect(throws: RunFolderError.self) { try scratch.write(SampleRun(seed: 8).contents, to: "run") }
    #expect(try scratch.text("run/manifest.json") == before)
    try scratch.write(SampleRun(seed: 8).contents, to: "run", replacing: true)
    #expect(try RunReader(path: scratch.path("run")).parameters().seed == 8)
    #expect(try scratch.contents == ["run"])
  }

  @Test func replacingKeepsForeignFiles() throws {
    func expectRefusal(_ path: String) {
      #expect(throws: (any Error).self) { try RunFolder.prepare(at: path, replacing: true) }
      do {
        _ = try RunFolder.prepare(at: path, replacing: true)
      } catch {
        #expect((error as? RunFolderError)?.code == .notReplaceable)
      }
    }
    try FileManager.default.createDirectory(atPath: scratch.path("home"), withIntermediateDirectories: false)
    try Data("precious".utf8).write(to: URL(fileURLWithPath: scratch.path("home/letter.txt")))
    expectRefusal(scratch.path("home"))
    expectRefusal(scratch.path("home/letter.txt"))
    try scratch.write(SampleRun().contents, to: "run")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: scratch.path("run/notes.txt")))
    expectRefusal(scratch.path("run"))
    #expect(try scratch.text("run/notes.txt") == "mine")
    #expect(try scratch.contents == ["home", "run"])
  }

  @Test func aFailureLeavesNoFiles() throws {
    var contents = SampleRun().contents
    contents.locations[3].person = 99
    #expect(throws: RunContentsError.self) { try scratch.write(contents, to: "run") }
    #expect(try scratch.contents.isEmpty)

    // A failure half-way: another process makes the target while the run is written.
    let folder = try RunFolder.prepare(at: scratch.path("run"), replacing: false)
    #expect(throws: RunFolderError.self) {
      try folder.write(SampleRun().contents) {
        try? FileManager.default.createDirectory(atPath: scratch.path("run"), withIntermediateDirectories: false)
        return RunTimings()
      }
    }
    #expect(try scratch.contents == ["run"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("run")).isEmpty)

    // A lost disk.
    let lost = try RunFolder.prepare(at: scratch.path("other"), replacing: false)
    try FileManager.default.removeItem(atPath: lost.buildPath)
    #expect(throws: RunFolderError.self) { try lost.write(SampleRun().contents) { RunTimings() } }
    #expect(try scratch.contents == ["run"])

    // A file that cannot be written while the other thread writes the database.
    let half = try RunFolder.prepare(at: scratch.path("other"), replacing: false)
    try FileManager.default.createDirectory(
      atPath: half.buildPath + "/contacts.csv", withIntermediateDirectories: false)
    #expect(throws: RunFolderError.self) { try half.write(SampleRun().contents, threads: 2) { RunTimings() } }
    #expect(try scratch.contents == ["run"])
  }

  @Test func anInterruptedRunIsMarked() throws {
    var contents = SampleRun().contents
    contents.isPartial = true
    try scratch.write(contents, to: "run")
    #expect(try scratch.json("run/manifest.json")["partial"] as? Bool == true)
    #expect(try RunReader(path: scratch.path("run")).isPartial())
    #expect(try scratch.text("run/report.html").contains("This run was interrupted"))
  }

  private static let damages: [(String, @Sendable (inout RunContents) -> Void)] = [
    ("contacts[2]", { $0.contacts[2].contact.first = $0.contacts[2].contact.second }),
    ("contacts[0]", { $0.contacts[0].contact.minimumDistance = .nan }),
    ("contacts[1]", { $0.contacts[1].firstSpace = 500 }),
    ("truth[4]", { $0.truth[4].end = $0.truth[4].start - 1 }),
    ("truth[4]", { $0.truth[4].x0 = .infinity }),
    ("locations[0]", { $0.locations[0].coordinate.latitude = 91 }),
    ("occupancy[3]", { $0.occupancy[3].mean = -1 }),
    ("venue.spaces[1]", { $0.venue.spaces[1].floor = 3 }),
    ("people[1]", { $0.people[1].device = $0.people[0].device }),
    ("summary.accounting", { $0.summary.accounting.thinned += 1 }),
    ("parameters.others[0]", { $0.parameters.others[0].name = "seed" }),
  ]

  @Test(arguments: RunFolderTests.damages.indices)
  func inconsistentContentsAreRefusedWithTheirPlace(index: Int) throws {
    let (place, damage) = RunFolderTests.damages[index]
    var contents = SampleRun().contents
    damage(&contents)
    do {
      try scratch.write(contents, to: "run")
      Issue.record("was written")
    } catch let error as RunContentsError {
      #expect(error.place == place)
    }
    #expect(try scratch.contents.isEmpty)
  }
}
