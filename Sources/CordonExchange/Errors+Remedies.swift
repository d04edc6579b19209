import CordonCore

extension TraceError: CordonError {
  /// The action that resolves the error.
  package var remedy: String {
    switch code {
    case .unreadable: "Check the path and the permissions of the file."
    case .unknownFormat: "Name the format, or convert the file with cordon trace convert."
    case .malformed: "Correct the file at that place, or export it again."
    case .tooLarge: "Split the file."
    case .empty: "Check that the file is the right one: it holds no position."
    case .missing: "Give what is missing as an option."
    case .unsuitable: "Choose another format."
    }
  }
}

extension PointFileError: CordonError {
  /// The error on one line: `line 3: the time is missing`.
  package var description: String {
    let place = line.map { "line \($0)" } ?? place
    return [file, place, message].compactMap(\.self).joined(separator: ": ")
  }

  /// The action that resolves the error.
  package var remedy: String {
    switch code {
    case .unreadable: "Check the path and the permissions of the file."
    case .truncated, .damaged: "Copy or export the file again."
    case .unsupported: "Write the file without that part of its format."
    case .missingColumn: "Name the column with an option, or add it."
    case .mixedUnits: "Write all times in one unit."
    case .unknownUnit: "Give the unit of times as an option."
    case .unclearPlaces: "Name the columns of longitude and latitude, or say that places are metres."
    case .foreignFormat: "Convert the file, or give one with a row for each position."
    case .badRow: "Correct the row, or read without strict checking."
    case .empty: "Check that the file is the right one: it holds no position."
    case .tooLarge: "Split the file, or read it on a machine with more memory."
    }
  }
}

extension WorkloadFile.Failure: CordonError {
  /// The error on one line: `FILE: no such file`.
  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .truncated(let path, let bytes): "\(path): \(bytes) bytes are not a whole number of records"
    }
  }

  /// The action that resolves the error.
  package var remedy: String {
    switch self {
    case .unreadable: "Check the path and the permissions of the file."
    case .truncated: "Copy or write the file again."
    }
  }
}
