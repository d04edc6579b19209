// The modules whose types the interface of this module uses.
@_exported public import CordonCore
@_exported public import CordonIngest
