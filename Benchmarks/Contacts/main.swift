import CordonContacts
import CordonCore
import CordonExchange
import Foundation

func cpu() -> Double {
  var usage = rusage()
  getrusage(0, &usage)
  return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
}
let path = CommandLine.arguments[1]
let gap = Int64(CommandLine.arguments[2])!
let threads = CommandLine.arguments.count > 3 ? Int(CommandLine.arguments[3])! : 1
let slab = CommandLine.arguments.count > 4 ? Int64(CommandLine.arguments[4])! : 0
var points = try WorkloadFile.read(path: path)
for _ in 0..<(CommandLine.arguments.count > 5 ? Int(CommandLine.arguments[5])! : 3) {
  let w0 = Date()
  let c0 = cpu()
  let tracks = ObservedTracks(points, maximumGap: .milliseconds(gap))
  let c1 = cpu()
  var finder = ContactFinder(distance: 2, threads: threads)
  if slab > 0 { finder.slab = .milliseconds(slab) }
  var summary = ContactSummary()
  finder.contacts(in: tracks, into: &summary)
  let c2 = cpu()
  let (pairs, p15) = (summary.pairs, summary.pairsOf15Minutes)
  let c3 = cpu()
  var usage = rusage()
  getrusage(0, &usage)
  print(
    path, points.count, "pairs", pairs, "contacts", summary.contacts, "overlap",
    String(format: "%.3f", summary.overlapSeconds), "p15", p15,
    String(
      format: "tracks %.3f find %.3f sum %.3f -> %.2f Mpts/s wall %.3f", c1 - c0, c2 - c1, c3 - c2,
      Double(points.count) / (c3 - c0) / 1e6, Date().timeIntervalSince(w0)), "rss", usage.ru_maxrss / 1024)
}
