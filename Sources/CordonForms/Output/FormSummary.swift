package import CordonSupport

/// The distribution of the answers to each field, by its type.
package struct FormSummary: Hashable, Sendable {
  /// The number of records.
  package let records: Int
  /// The fields in the order of the form.
  package private(set) var fields: [Field] = []

  /// The answers to one field.
  package struct Field: Hashable, Sendable {
    /// The names of the groups and of the field.
    package var names: [String]
    /// The question.
    package var label: LocalizedText
    /// The number of answers.
    package var answered: Int
    /// The distribution of the answers.
    package var distribution: Distribution
  }

  /// A distribution of answers.
  package enum Distribution: Hashable, Sendable {
    /// The number of answers with each option, in the order of the form, also those without any.
    case options([Count])
    /// Least, greatest, mean and median, and a histogram.
    case numbers(minimum: Double, maximum: Double, mean: Double, median: Double, bins: [Bin])
    /// The number of answers for each day that has any, in order.
    case days([Count])
    /// Texts, places and photos are only counted.
    case none
  }

  /// A number of answers.
  package struct Count: Hashable, Sendable {
    package var value: String
    package var count: Int

    /// The number of answers with a value.
    package init(value: String, count: Int) {
      self.value = value
      self.count = count
    }
  }

  /// A class of a histogram; the lower bound belongs to it, and the upper one to the last class only.
  package struct Bin: Hashable, Sendable {
    package var from: Double
    package var to: Double
    package var count: Int
  }

  /// The greatest number of classes of a histogram.
  static let maximumBins = 12

  /// Counts answers. Complexity: O(*n* log *n*) for *n* answers to a field.
  package init(_ records: [FormAnswers], of form: Form) {
    self.records = records.count
    for (groups, field) in form.allFields {
      var scopes = records
      for group in groups { scopes = scopes.flatMap { $0.groups[group] ?? [] } }
      let answers = scopes.compactMap { $0.fields[field.name] }
      fields.append(
        Field(
          names: groups + [field.name], label: field.label, answered: answers.count,
          distribution: FormSummary.distribution(of: answers, to: field)))
    }
  }

  static func distribution(of answers: [AnswerValue], to field: FormField) -> Distribution {
    switch field.kind {
    case .choice, .choices, .toggle:
      var counts: [String: Int] = [:]
      for answer in answers {
        switch answer {
        case .text(let text): counts[text, default: 0] += 1
        case .choices(let values): for value in values { counts[value, default: 0] += 1 }
        case .truth(let truth): counts[truth ? "true" : "false", default: 0] += 1
        default: break
        }
      }
      let values = field.kind == .toggle ? ["true", "false"] : field.options.map(\.value)
      return .options(values.map { Count(value: $0, count: counts[$0] ?? 0) })
    case .number, .integer, .scale:
      let numbers = answers.compactMap { if case .number(let number) = $0 { number } else { nil } }.sorted()
      guard let minimum = numbers.first, let maximum = numbers.last else { return .none }
      let middle = numbers.count / 2
      let median = numbers.count % 2 == 1 ? numbers[middle] : numbers[middle - 1] / 2 + numbers[middle] / 2
      let mean = numbers.reduce(0) { $0 + $1 / Double(numbers.count) }
      return .numbers(
        minimum: minimum, maximum: maximum, mean: mean, median: median,
        bins: bins(numbers, isWhole: field.kind != .number))
    case .date:
      var counts: [FormDate: Int] = [:]
      for case .date(let date) in answers { counts[date, default: 0] += 1 }
      return .days(counts.sorted { $0.key < $1.key }.map { Count(value: $0.key.description, count: $0.value) })
    case .text, .longText, .place, .photo: return .none
    }
  }

  /// Returns classes of a round width: 1, 2 or 5 times a power of ten.
  private static func bins(_ numbers: [Double], isWhole: Bool) -> [Bin] {
    guard let minimum = numbers.first, let maximum = numbers.last else { return [] }
    var width = Width(exponent: isWhole ? 0 : -9)
    // The index of a number such as 1e300 in small classes is infinite, and the difference of two such is not a number: wider
    // classes are needed too.
    while !(width.index(of: maximum) - width.index(of: minimum) < Double(maximumBins)), width.exponent < 300 {
      width.grow()
    }
    let first = width.index(of: minimum)
    let count = Int(min(width.index(of: maximum) - first, Double(maximumBins - 1))) + 1
    var bins = (0..<count).map {
      Bin(from: width.bound(first + Double($0)), to: width.bound(first + Double($0) + 1), count: 0)
    }
    for number in numbers { bins[Int(min(max(width.index(of: number) - first, 0), Double(count - 1)))].count += 1 }
    return bins
  }

  /// A round width of classes, whose bounds are decimal numbers without rounding errors.
  private struct Width {
    private var digit = 1.0
    private(set) var exponent: Int

    init(exponent: Int) { self.exponent = exponent }

    mutating func grow() {
      switch digit {
      case 1: digit = 2
      case 2: digit = 5
      default: (digit, exponent) = (1, exponent + 1)
      }
    }

    private var power: Double { (0..<abs(exponent)).reduce(1.0) { product, _ in product * 10 } }

    /// The lower bound of a class.
    func bound(_ index: Double) -> Double { exponent < 0 ? index * digit / power : index * digit * power }

    /// The class of a number.
    func index(of number: Double) -> Double {
      (exponent < 0 ? number * power / digit : number / (digit * power)).rounded(.down)
    }
  }

  /// The summary as JSON.
  package var json: JSONValue {
    [
      "records": .integer(Int64(records)),
      "fields": .array(
        fields.map { field in
          var members: [JSONValue.Member] = [
            .init("field", .string(field.names.joined(separator: "."))), .init("label", field.label.json),
            .init("answered", .integer(Int64(field.answered))),
          ]
          members += FormSummary.members(of: field.distribution)
          return .object(members)
        }),
    ]
  }

  private static func members(of distribution: Distribution) -> [JSONValue.Member] {
    func counts(_ list: [Count]) -> JSONValue {
      .array(list.map { ["value": .string($0.value), "count": .integer(Int64($0.count))] })
    }
    switch distribution {
    case .options(let list): return [.init("options", counts(list))]
    case .days(let list): return [.init("days", counts(list))]
    case .numbers(let minimum, let maximum, let mean, let median, let bins):
      return [
        .init("min", .number(minimum)), .init("max", .number(maximum)), .init("mean", .number(mean)),
        .init("median", .number(median)),
        .init(
          "bins",
          .array(bins.map { ["from": .number($0.from), "to": .number($0.to), "count": .integer(Int64($0.count))] })),
      ]
    case .none: return []
    }
  }
}
