extension ContactInput {
  /// Every file that is read: no output may replace one.
  var files: [String] { paths + paths.map { $0 + "/run.sqlite" } + [venuePath].compactMap(\.self) }
}
