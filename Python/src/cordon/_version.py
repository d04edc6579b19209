"""The version of the package, which is that of the executable."""

VERSION = "0.1.0"
