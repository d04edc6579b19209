// A test names the sink of its phone without a further import.
@_exported public import class CordonMonitoring.InProcessSink
