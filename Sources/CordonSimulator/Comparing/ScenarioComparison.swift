import CordonCore
import CordonCrowd
import CordonRun

/// Scenarios that were run repeatedly with the same random numbers, or finished runs, and their differences from the
/// first one.
package struct ScenarioComparison: Sendable {
  /// The scenarios or runs.
  package var sides: [ComparisonSide]
  /// The figures, by part in the order of ``FigurePart``, in a fixed order within a part.
  package var figures: [ComparedFigure]
  /// The number of finished replicas of each scenario, which is less than requested after an interruption. Runs have
  /// one, or as many as the least of them has.
  package var replicas: Int
  /// Whether replicas are missing.
  package var isPartial: Bool
  /// Whether the same replica of each side has the same random numbers.
  package var isPaired: Bool

  /// The differences of all figures.
  package var differences: [PairedDifference] { figures.flatMap(\.differences) }

  /// Returns the figures of a part.
  package func figures(of part: FigurePart) -> [ComparedFigure] { figures.filter { $0.part == part } }

  /// Runs the scenarios.
  /// - Parameters:
  ///   - sides: the name of each scenario, and the scenario; at least two.
  ///   - parts: the parts of the building to compare.
  ///   - replicas: the number of replicas.
  ///   - threads: the number of concurrent runs; the result does not depend on it.
  ///   - progress: receives the number of finished runs, in fractions of a run, and the number of all runs.
  ///   - isInterrupted: whether to stop early, called on any thread; unfinished replicas are left out.
  /// - Throws: ``ScenarioError`` or ``SimulationError``.
  package init(
    _ sides: [(name: String, study: TruthStudy)], parts: Set<FigurePart> = Set(FigurePart.allCases), replicas: Int,
    threads: Int, progress: @escaping @Sendable (_ done: Double, _ total: Int) -> Void = { _, _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let outcomes = try Replicas.run(
      studies: sides.map(\.study), count: replicas, threads: threads, progress: progress, isInterrupted: isInterrupted)
    let made = outcomes.map(\.count).min() ?? 0
    self.sides = sides.map { ComparisonSide(name: $0.name) }
    self.replicas = made
    isPartial = made < replicas
    isPaired = true
    let tables = zip(outcomes, sides).map { outcomes, side in
      FigureTable(outcomes.prefix(made).map { $0.figures + $0.details }, spaces: side.study.spaceIDs)
    }
    figures = ScenarioComparison.compared(tables, parts: parts) { figure, _, first, second, comparisons in
      // A figure without a value in a replica of either side is compared in the other replicas.
      let pairs = zip(first, second).compactMap { a, b in a.flatMap { a in b.map { (a, $0) } } }
      guard !pairs.isEmpty else { return nil }
      return PairedDifference(
        name: figure.name, title: figure.title, first: pairs.map(\.0), second: pairs.map(\.1),
        comparisons: comparisons)
    }
  }

  init(sides: [ComparisonSide], figures: [ComparedFigure], replicas: Int) {
    self.sides = sides
    self.figures = figures
    self.replicas = replicas
    isPartial = false
    isPaired = false
  }

  /// Returns the figures that the first side and any other side have.
  /// - Parameter difference: returns the difference of a side from the first one, of their values by replica, in a
  ///   number of comparisons; `nil` if the two have no replica in common.
  static func compared(
    _ tables: [FigureTable], parts: Set<FigurePart>,
    difference: (
      _ figure: TruthStudy.Figure, _ side: Int, _ first: [Double?], _ second: [Double?], _ comparisons: Int
    ) -> PairedDifference?
  ) -> [ComparedFigure] {
    guard let base = tables.first, tables.count > 1 else { return [] }
    return FigurePart.allCases.filter(parts.contains).flatMap { part -> [ComparedFigure] in
      let names = FigureTable.order(of: part, in: tables)
      let comparisons = names.count * (tables.count - 1)
      return names.compactMap { figure -> ComparedFigure? in
        let columns = tables.map { $0.values(of: figure) }
        guard let first = columns[0] ?? base.missing(figure) else { return nil }
        let differences = columns.indices.dropFirst().compactMap { side -> PairedDifference? in
          guard let second = columns[side] ?? tables[side].missing(figure),
            var made = difference(figure, side, first, second, comparisons)
          else { return nil }
          made.side = ComparisonSide.letter(side)
          made.wording = figure.wording
          return made
        }
        guard !differences.isEmpty else { return nil }
        let means = columns.indices.map { side -> Double? in
          let mean = Sample(((columns[side] ?? tables[side].missing(figure)) ?? []).compactMap(\.self)).mean
          return mean.isFinite ? mean : nil
        }
        return ComparedFigure(
          name: figure.name, title: figure.title, part: part, means: means, differences: differences)
      }
    }
  }
}

/// The figures of one side, by replica.
struct FigureTable {
  private struct Key: Hashable {
    var part: FigurePart
    var name: String
  }

  /// The figures in the order in which they first occur.
  private var order: [TruthStudy.Figure] = []
  private var columns: [Key: [Double?]] = [:]
  private let count: Int
  private let spaces: Set<String>

  /// Creates a table.
  /// - Parameters:
  ///   - replicas: the figures of each replica.
  ///   - spaces: the identifiers of the spaces of the venue.
  init(_ replicas: [[TruthStudy.Figure]], spaces: Set<String>) {
    count = replicas.count
    self.spaces = spaces
    for (replica, figures) in replicas.enumerated() {
      for figure in figures {
        let key = Key(part: figure.part, name: figure.name)
        if columns[key] == nil {
          order.append(figure)
          columns[key] = Array(repeating: figure.isZeroWhenAbsent ? 0 : nil, count: count)
        }
        columns[key]?[replica] = figure.value
      }
    }
  }

  /// Returns the values of a figure, by replica; `nil` if no replica has it.
  func values(of figure: TruthStudy.Figure) -> [Double?]? { columns[Key(part: figure.part, name: figure.name)] }

  /// Returns the values of a figure that no replica has: zeros for a place where nobody was, and `nil` for a figure
  /// that this side does not have.
  func missing(_ figure: TruthStudy.Figure) -> [Double?]? {
    guard figure.isZeroWhenAbsent else { return nil }
    switch figure.part {
    case .building, .group: return nil
    case .space:
      let id = figure.name.drop { $0 != "[" }.dropFirst().dropLast()
      guard spaces.contains(String(id)) else { return nil }
    case .desk, .queue: break
    }
    return Array(repeating: 0, count: count)
  }

  /// Returns the figures of a part in any of the tables, in the order of the first table that has them.
  static func order(of part: FigurePart, in tables: [FigureTable]) -> [TruthStudy.Figure] {
    var seen: Set<String> = []
    return tables.flatMap { $0.order.filter { $0.part == part && seen.insert($0.name).inserted } }
      .enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(\.element)
  }
}
