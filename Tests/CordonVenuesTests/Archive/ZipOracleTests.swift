import CordonCore
import CordonSupport
import CordonTestSupport
import Foundation
import Testing

@testable import CordonVenues

/// Python's `zipfile`, which reads archives independently of us.
enum PythonZip {
  static let program = TestProcess.tool("python3")

  /// Runs a script with arguments and returns what it prints.
  static func run(_ script: String, _ arguments: [String]) throws -> String {
    let result = try TestProcess.run(try #require(program), ["-W", "ignore", "-c", script] + arguments)
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// Writes archives of every kind that the module can make into a folder.
  static let writer = """
    import io, os, sys, zipfile, zlib
    folder = sys.argv[1]
    texts = {'a.json': b'{"a": 1}', 'b/c.geojson': b'[' + b'1.5, ' * 4000 + b'2]', 'empty.json': b'', 'n\\u00e4me.json': b'"x"'}
    class Pipe(io.RawIOBase):
        def __init__(self): self.data = bytearray()
        def writable(self): return True
        def write(self, b): self.data += bytes(b); return len(b)
    def save(name, **keys):
        target = Pipe() if keys.pop('streamed', False) else io.BytesIO()
        wide, comment, folders = keys.pop('wide', False), keys.pop('comment', b''), keys.pop('folders', False)
        with zipfile.ZipFile(target, 'w', **keys) as z:
            z.comment = comment
            if folders: z.mkdir('b') if hasattr(z, 'mkdir') else z.writestr('b/', b'')
            for n, t in texts.items():
                with z.open(zipfile.ZipInfo(n) if keys.get('compression') is None else n, 'w', force_zip64=wide) as f: f.write(t)
        data = bytes(target.data) if isinstance(target, Pipe) else target.getvalue()
        open(os.path.join(folder, name + '.zip'), 'wb').write(data)
        return data
    stored, packed = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
    save('stored', compression=stored)
    plain = save('deflated', compression=packed)
    save('best', compression=packed, compresslevel=9)
    save('streamed', compression=packed, streamed=True)
    save('streamed-stored', compression=stored, streamed=True)
    save('wide', compression=packed, wide=True)
    save('wide-streamed', compression=packed, wide=True, streamed=True)
    save('comment', compression=packed, comment=b'PK, not the end' * 50)
    save('folders', compression=packed, folders=True)
    save('bzip2', compression=zipfile.ZIP_BZIP2)
    save('lzma', compression=zipfile.ZIP_LZMA)
    def special(name, entries):
        with zipfile.ZipFile(os.path.join(folder, name + '.zip'), 'w', packed) as z:
            for info, data in entries: z.writestr(info, data)
    link = zipfile.ZipInfo('link.json'); link.create_system = 3; link.external_attr = 0o120777 << 16
    special('symlink', [('a.json', b'1'), (link, b'/etc/passwd')])
    special('duplicate', [('a.json', b'1'), ('a.json', b'2')])
    special('traversal', [('../a.json', b'1')])
    special('absolute', [('/a.json', b'1')])
    special('no-entries', [])
    open(os.path.join(folder, 'junk-before.zip'), 'wb').write(b'#!/bin/sh\\n' + plain)
    open(os.path.join(folder, 'junk-after.zip'), 'wb').write(plain + b'junk' * 10)
    open(os.path.join(folder, 'cut.zip'), 'wb').write(plain[:len(plain) // 2])
    """

  /// Prints a line for each archive: its name, then `error` or pairs of a name in hexadecimal digits and a checksum.
  static let reader = """
    import hashlib, os, sys, zipfile
    for name in sorted(os.listdir(sys.argv[1])):
        try:
            with zipfile.ZipFile(os.path.join(sys.argv[1], name)) as z:
                parts = [i.filename.encode('utf-8', 'surrogateescape').hex() + '=' + hashlib.sha256(z.read(i)).hexdigest() for i in z.infolist() if not i.is_dir()]
        except Exception as error:
            parts = ['error']
        print(name, *parts)
    """
}

/// libarchive through its own program, a third reader.
enum LibarchiveZip {
  static let program = TestProcess.tool("bsdtar")

  /// The contents that unpack from an archive, by name, as checksums; `nil` when it refuses any of them.
  static func contents(of archive: String) throws -> [String: String]? {
    let scratch = try TemporaryFolder()
    let folder = scratch.url.path
    let result = try TestProcess.run(
      try #require(program), ["-x", "-f", archive, "-C", folder], environment: ["LC_ALL": "C.UTF-8"])
    guard result.status == 0 else { return nil }
    var found: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let path = folder + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      // Damage may remove the permission to read.
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      found[name] = SHA256.hexDigest(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }
    return found
  }
}

/// An archive that we read gives the contents that another reader gives; each refusal has a documented reason.
@Suite(.enabled(if: PythonZip.program != nil, "python3 is not installed"))
struct ZipOracleTests {
  /// The entries of an archive with their checksums, or the code of the refusal.
  private func entries(of bytes: [UInt8]) -> Result<[String], VenueError> {
    Result { () throws(VenueError) in
      guard ZipArchive.isZip(bytes) else { throw VenueError(code: "no-zip", file: "", message: "") }
      let archive = try ZipArchive(bytes, file: "x.zip", limits: VenueLimits())
      var found: [String] = []
      for entry in archive.entries where !entry.isFolder {
        let content = try ZipInflate.unpack(entry, of: archive, limits: VenueLimits())
        let name = entry.name.utf8.map { String($0, radix: 16).leftPadded }.joined()
        found.append(name + "=" + SHA256.hexDigest(of: content))
      }
      return found
    }
  }

  private func oracle(_ folder: String) throws -> [(name: String, entries: [String]?)] {
    try PythonZip.run(PythonZip.reader, [folder]).split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      return (words[0], words.count == 2 && words[1] == "error" ? nil : Array(words.dropFirst()))
    }
  }

  @Test func archivesOfEveryKindReadAlike() throws {
    let folder = try TemporaryFolder()
    _ = try PythonZip.run(PythonZip.writer, [folder.url.path])
    var refused: [String: String] = [:]
    var equal = 0
    for (name, theirs) in try oracle(folder.url.path) {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.url.path + "/" + name)))
      switch entries(of: bytes) {
      case .success(let ours):
        #expect(ours == theirs, "\(name)")
        equal += 1
      case .failure(let error): refused[name] = error.code
      }
    }
    #expect(equal == 15)
    #expect(
      refused == [
        "bzip2.zip": "unsupported-zip", "lzma.zip": "unsupported-zip", "junk-before.zip": "no-zip",
        "cut.zip": "malformed-zip",
      ])
    // As bundles, some of those that unpack are refused or read in part all the same.
    func code(_ name: String) throws -> String? {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.url.path)/\(name).zip")))
      var findings = FindingLog()
      do throws(VenueError) {
        let bundle = try VenueBundle.open(bytes: bytes, name: name, limits: VenueLimits(), findings: &findings)
        #expect(bundle.names == ["a.json", "b/c.geojson", "empty.json", "näme.json"] || name == "symlink")
        return findings.findings.first?.code
      } catch { return error.code }
    }
    for name in ["stored", "deflated", "best", "streamed", "streamed-stored", "wide", "wide-streamed", "folders"] {
      #expect(try code(name) == nil, "\(name)")
    }
    #expect(try code("symlink") == "link-ignored" && code("duplicate") == "duplicate-name")
    #expect(try code("traversal") == "unsafe-name" && code("absolute") == "unsafe-name")
    #expect(try code("no-entries") == "empty-bundle")
  }

  @Test(.enabled(if: LibarchiveZip.program != nil, "bsdtar is not installed (libarchive-tools)"))
  func archivesReadAsLibarchiveReadsThem() throws {
    let (made, damaged) = (try TemporaryFolder(), try TemporaryFolder())
    _ = try PythonZip.run(PythonZip.writer, [made.url.path])
    for name in [
      "stored", "deflated", "best", "streamed", "streamed-stored", "wide", "wide-streamed", "comment", "folders",
      "junk-after",
    ] {
      let path = "\(made.url.path)/\(name).zip"
      let theirs = try #require(try LibarchiveZip.contents(of: path), "\(name)")
      #expect(try named(entries(of: [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))).get()) == theirs, "\(name)")
      #expect(theirs.count == 4)
    }
    // What we refuse for its name, the other refuses too.
    #expect(try LibarchiveZip.contents(of: "\(made.url.path)/traversal.zip") == nil)
    var (alike, weAlone, fewer) = (0, 0, 0)
    for (name, bytes) in try damagedArchives(from: made.url.path, seed: 20_260_102, each: 100) {
      guard case .success(let ours) = entries(of: bytes) else { continue }
      let path = "\(damaged.url.path)/\(name)"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      guard let theirs = try LibarchiveZip.contents(of: path) else {
        weAlone += 1
        continue
      }
      // The other reader finds no file that we miss; two damaged names that became equal are one file on the disk.
      let contents = ours.map { String($0.split(separator: "=")[1]) }
      #expect(Set(theirs.values).isSubset(of: contents), "\(name)")
      if theirs.count == contents.count { alike += 1 } else { fewer += 1 }
    }
    print("damaged archives: \(alike) as libarchive reads them, \(fewer) of fewer files, \(weAlone) ours alone, of 500")
    #expect(fewer < 5)
    #expect(alike > 20)
  }

  /// Entries by name, from what ``entries(of:)`` gives.
  private func named(_ entries: [String]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: entries.map { entry in
        let parts = entry.split(separator: "=", omittingEmptySubsequences: false)
        let digits = Array(parts[0].utf8)
        let name = stride(from: 0, to: digits.count, by: 2).compactMap {
          UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        return (String(decoding: name, as: UTF8.self), String(parts[1]))
      })
  }

  /// Archives with one to four bytes changed, lost or added.
  private func damagedArchives(from folder: String, seed: UInt64, each: Int) throws -> [(String, [UInt8])] {
    var random = RandomSource(seed: seed)
    var found: [(String, [UInt8])] = []
    for name in ["stored", "deflated", "streamed", "wide", "wide-streamed"] {
      let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name).zip")))
      for number in 0..<each {
        var bytes = whole
        for _ in 0...random.below(3) {
          // Half of the damage hits the directory at the end, which decides the result.
          let low = random.below(2) == 0 ? 0 : max(0, bytes.count - 700)
          let place = low + random.below(bytes.count - low)
          switch random.below(4) {
          case 0: bytes[place] ^= UInt8(1 << random.below(8))
          case 1: bytes[place] = UInt8(random.below(256))
          case 2: bytes.remove(at: place)
          default: bytes.insert(UInt8(random.below(256)), at: place)
          }
        }
        found.append(("\(name)-\(number)", bytes))
      }
    }
    return found
  }

  /// A thousand damaged archives: the other reader unpacks each of ours to the same contents, or refuses it.
  @Test func damagedArchivesNeverReadDifferently() throws {
    let (made, damaged) = (try TemporaryFolder(), try TemporaryFolder())
    _ = try PythonZip.run(PythonZip.writer, [made.url.path])
    var accepted: [String: [String]] = [:]
    for (name, bytes) in try damagedArchives(from: made.url.path, seed: 20_260_101, each: 200) {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(damaged.url.path)/\(name)"))
      if case .success(let entries) = entries(of: bytes) { accepted[name] = entries }
    }
    var (alike, weAlone) = (0, 0)
    for (name, theirs) in try oracle(damaged.url.path) {
      guard let ours = accepted[name] else { continue }
      guard let theirs else {
        weAlone += 1
        continue
      }
      // A name that is not UTF-8 has another spelling; the contents are equal.
      #expect(ours.map { $0.split(separator: "=")[1] } == theirs.map { $0.split(separator: "=")[1] }, "\(name)")
      alike += 1
    }
    // Both accept some damage: unused fields, comments, times. Python also compares the names in the local headers.
    print("damaged archives: \(alike) read alike, \(weAlone) that we alone read, of 1000")
    #expect(alike > 40 && weAlone < 100)
  }
}

extension String {
  /// Two digits.
  fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}

/// SplitMix64.
private struct RandomSource {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(max(bound, 1)))
  }
}
