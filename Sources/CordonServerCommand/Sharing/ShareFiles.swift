import CordonCommandLine
import CordonConsole
import CordonForms
import CordonSharing
import CordonSupport
import Foundation

/// The files of a sharing: the document of a form, and records as JSON lines.
enum ShareFiles {
  static func form(_ path: String) throws -> Form {
    let bytes = try contents(path, atMost: Form.maximumBytes)
    do throws(FormError) {
      return try Form(document: bytes)
    } catch {
      throw CommandError(error.message, code: "form", file: path, place: error.path)
    }
  }

  /// Adds the records of a file.
  static func add(_ path: String, to records: inout FormRecords, form: Form) throws {
    let bytes = try contents(path, atMost: FormRecords.maximumFileBytes)
    do throws(FormError) {
      try records.add(lines: bytes, form: form.id)
    } catch {
      throw CommandError(error.message, code: "records", file: path, place: error.path)
    }
  }

  private static func contents(_ path: String, atMost limit: Int) throws -> [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CommandError(UnreadableFile.reason(path), code: "not-found", file: path)
    }
    defer { try? file.close() }
    guard let bytes = try? file.read(upToCount: limit + 1) else {
      // A file without bytes, or a folder.
      guard let cause = UnreadableFile.cause(path) else { return [] }
      throw CommandError(cause, code: "not-found", file: path)
    }
    guard bytes.count <= limit else {
      throw CommandError("is larger than \(limit >> 20) MiB", code: "too-large", file: path)
    }
    return Array(bytes)
  }

  /// The conflicts of records as JSON: identifiers and names of fields, no answers.
  static func conflicts(_ records: FormRecords) -> [(record: String, fields: [String])] {
    records.conflicts.map { record in
      (record, (FormConflict(records, record: record)?.fields ?? []).map(\.name))
    }
  }
}

extension ShareError: CommandErrorConvertible {
  var commandError: CommandError { CommandError(message, code: code.rawValue, place: place) }
}
