import CordonTestSupport
import Foundation
import Testing

@Suite("Maps with overlays on the command line")
struct OverlayCommandTests {
  private static let overlay = """
    overlay: 1
    spaces:
      - space: Canteen
        kind: lobby
        name: Food Hall
        record: false
    """

  /// The sample office, with an overlay beside it.
  private func office(_ scratch: TemporaryFolder, overlay: String = overlay) throws -> String {
    let map = scratch.path("office.mvf.zip")
    try FileManager.default.copyItem(atPath: Places.office, toPath: map)
    _ = try scratch.write(overlay, to: "office.overlay.yaml")
    return map
  }

  @Test func theOverlayBesideTheMapIsUsedAndNoted() throws {
    let scratch = try TemporaryFolder()
    let map = try office(scratch)
    let result = try CordonProcess.run(["venue", "info", map])
    #expect(result.status == 0)
    #expect(result.output.contains("unrecorded: 1 lobby (Food Hall)"))
    #expect(result.errors.contains("note: the map is used with its overlay \(scratch.path("office.overlay.yaml"))"))
    let plain = try CordonProcess.run(["venue", "info", map, "--no-overlay"])
    #expect(try plain.output == CordonProcess.run(["venue", "info", Places.office]).output)
    #expect(plain.errors.isEmpty)
    let named = try CordonProcess.run([
      "venue", "info", Places.office, "--overlay", scratch.path("office.overlay.yaml"),
    ])
    #expect(named.output == result.output)
    #expect(named.errors.isEmpty)
  }

  @Test func aPackedVenueKeepsTheRules() throws {
    let scratch = try TemporaryFolder()
    let map = try office(scratch)
    let packed = try CordonProcess.run(["venue", "pack", map, "-o", scratch.path("office.cvp")])
    #expect(packed.output.contains("unrecorded: 1 lobby (Food Hall)"))
    // The packed venue needs no overlay.
    let moved = try TemporaryFolder()
    try FileManager.default.moveItem(atPath: scratch.path("office.cvp"), toPath: moved.path("office.cvp"))
    let info = try CordonProcess.run(["venue", "info", moved.path("office.cvp")])
    #expect(info.output.contains("unrecorded: 1 lobby"))
  }

  /// The changes would be applied twice.
  @Test func aConvertedMapIsNotWrittenBesideTheOverlay() throws {
    let scratch = try TemporaryFolder()
    let map = try office(scratch)
    let refused = try CordonProcess.run(["venue", "convert", map, "-o", scratch.path("office.geojson")])
    #expect(refused.status == 2 && refused.errors.contains("use another name or folder"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("office.geojson")))
    #expect(try CordonProcess.run(["venue", "convert", map, "-o", scratch.path("mended.geojson")]).status == 0)
    let plain = try CordonProcess.run(["venue", "convert", map, "--no-overlay", "-o", scratch.path("office.geojson")])
    #expect(plain.status == 0)
  }

  @Test func anOverlayOfAGeneratedVenueIsAnError() throws {
    let scratch = try TemporaryFolder()
    let changes = try scratch.write(Self.overlay, to: "changes.yaml")
    let day = try scratch.write(
      """
      venue: {generate: {kind: office, floors: 1}}
      time: {start: "2026-01-05T09:00", duration: 10m}
      populations:
        - name: staff
          size: 2
          arrival: {window: [09:00, 09:05]}
          visit: 30m
          activities: [work]
      activities: [{name: work, kinds: [office], duration: 10m}]
      """, to: "day.yaml")
    let result = try CordonProcess.run(["simulate", day, "--overlay", changes, "-o", scratch.path("run")])
    #expect(result.status == 2)
    #expect(result.errors.contains("changes.yaml: the scenario generates its venue"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("run")))
  }

  @Test func aRunNamesTheOverlay() throws {
    let scratch = try TemporaryFolder()
    let map = try office(scratch)
    let result = try CordonProcess.run([
      "simulate", map, "--people", "5", "--duration", "1m", "--model", "meso", "-o", scratch.path("run"),
    ])
    #expect(result.status == 0, "\(result.errors)")
    let manifest = try String(contentsOfFile: scratch.path("run/manifest.json"), encoding: .utf8)
    #expect(manifest.contains("office.overlay.yaml"))
  }

  @Test func theValidationOfContactsUsesTheOverlay() throws {
    let scratch = try TemporaryFolder()
    _ = try office(scratch, overlay: "overlay: 1\nspaces:\n  - space: Canten\n    kind: lobby\n")
    let scenario = try scratch.write(
      """
      venue: office.mvf.zip
      time: {start: 2026-01-05T08:00, duration: 5m, zone: UTC}
      populations: [{name: all, size: 4, arrival: {window: [08:00, 08:01]}}]
      movement: {model: meso}
      """, to: "small.yaml")
    let command = ["validate", "contacts", "--scenario", scenario, "--replicas", "1"]
    let beside = try CordonProcess.run(command)
    #expect(beside.status == 2 && beside.errors.contains("office.overlay.yaml: line 3"), "\(beside.errors)")
    let plain = try CordonProcess.run(command + ["--no-overlay"])
    #expect(plain.status < 2, "\(plain.errors)")
    let other = try scratch.write("overlay: 1\nspaces: [{space: Canteen, kind: moon}]\n", to: "other.yaml")
    let named = try CordonProcess.run(command + ["--overlay", other])
    #expect(named.status == 2 && named.errors.contains("other.yaml: line 2"), "\(named.errors)")
  }

  @Test func aMistakeNamesFileAndLine() throws {
    let scratch = try TemporaryFolder()
    let map = try office(scratch, overlay: "overlay: 1\nspaces:\n  - space: Canten\n    kind: lobby\n")
    for command in [
      ["venue", "validate", map], ["venue", "pack", map, "-o", scratch.path("o.cvp")], ["simulate", map],
    ] {
      let result = try CordonProcess.run(command)
      #expect(result.status == 2)
      #expect(
        result.errors.contains(
          "office.overlay.yaml: line 3: spaces[0].space: no space 'Canten' (did you mean 'Canteen'?)"))
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.path("o.cvp")))
    let both = try CordonProcess.run(["venue", "info", map, "--overlay", "x.yaml", "--no-overlay"])
    #expect(both.status == 2 && both.errors.contains("--overlay and --no-overlay exclude each other"))
  }
}
