// What the interface of this module speaks of.
@_exported public import CordonMonitoring
