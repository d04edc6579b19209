extension ContactInput {
  /// Every file that is read: no output may replace one.
  var files: [String] { [path, path + "/run.sqlite"] + [venuePath].compactMap(\.self) }
}
