// Compares visits and trips with those of days that are known: presence-truth [DAYS].
TruthStudy.run(days: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 60)
