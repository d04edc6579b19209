// Apps on Apple's systems need `import CordonApple` only.
@_exported public import Cordon
