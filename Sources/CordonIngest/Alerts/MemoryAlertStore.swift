package import CordonCore

/// Rules and alerts in memory, for tests and for cores without a folder.
package final class MemoryAlertStore: AlertStore {
  private var known: [Int64: AlertRule] = [:]
  private var raised: [Int64: Alert] = [:]
  private var last: (rule: Int64, alert: Int64) = (0, 0)

  /// An empty store.
  package init() {}

  /// See ``AlertStore/save(_:)-(AlertRule)``.
  package func save(_ rule: AlertRule) throws(StoreFault) -> Int64 {
    var rule = rule
    if rule.number == 0 {
      last.rule += 1
      rule.number = last.rule
    }
    known[rule.number] = rule
    return rule.number
  }

  /// See ``AlertStore/rules()``.
  package func rules() throws(StoreFault) -> [AlertRule] { known.values.sorted { $0.number < $1.number } }

  /// See ``AlertStore/remove(rule:)``.
  package func remove(rule number: Int64) throws(StoreFault) {
    known[number] = nil
    raised = raised.filter { $0.value.rule != number }
  }

  /// See ``AlertStore/save(_:)-(Alert)``.
  package func save(_ alert: Alert) throws(StoreFault) -> Int64 {
    var alert = alert
    if alert.number == 0 {
      last.alert += 1
      alert.number = last.alert
    }
    raised[alert.number] = alert
    return alert.number
  }

  /// See ``AlertStore/alerts(of:limit:)``.
  package func alerts(of rule: Int64, limit: Int) throws(StoreFault) -> [Alert] {
    Array(raised.values.filter { $0.rule == rule }.sorted { $0.number > $1.number }.prefix(limit))
  }

  /// See ``AlertStore/openAlerts()``.
  package func openAlerts() throws(StoreFault) -> [Alert] {
    raised.values.filter { $0.ended == nil }.sorted { $0.number < $1.number }
  }

  /// See ``AlertStore/forget(_:_:)``.
  package func forget(_ device: DeviceID, _ end: DeviceEnd) throws(StoreFault) {
    for rule in try rules() where rule.device == device && rule.isCovered(by: end) { try remove(rule: rule.number) }
  }

  /// See ``AlertStore/expire(before:)``.
  package func expire(before time: Instant) throws(StoreFault) {
    raised = raised.filter { $0.value.ended.map { $0 >= time } ?? true }
  }
}
