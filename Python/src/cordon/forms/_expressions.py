"""Expressions: XPath as XLSForm uses it, and the conditions and formulas of forms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Optional

from .._errors import InputError

#: A part of an expression: ("number", 1.5), ("text", "a"), ("truth", True), ("field", ["group", "name"]), ("self",),
#: ("not", x), ("negative", x), ("binary", "+", x, y), ("call", "round", [x, y]).
Node = tuple[Any, ...]

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<ref>\$\{\s*[A-Za-z_][\w.-]*\s*\})|(?P<text>'[^']*'|"[^"]*")
    |(?P<name>[A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)?(?!\w))|(?P<sign><=|>=|!=|[-+*/=<>(),.]))""",
    re.VERBOSE,
)
_NATIVE_TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<text>'(?:[^']|'')*')|(?P<name>[a-z]\w*(?:\.[a-z]\w*)?)|(?P<sign><=|>=|!=|[-+*/=<>(),]))""",
    re.VERBOSE,
)
_RANKS = {"or": 1, "and": 2, "=": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "+": 4, "-": 4, "*": 5, "/": 5}


class Unsupported(InputError):
    """An expression that the other format cannot state."""


class _Parser:
    """A parser by precedence; `native` for expressions of forms, else for XPath."""

    def __init__(self, text: str, native: bool) -> None:
        self.tokens: list[tuple[str, str]] = []
        self.native = native
        pattern, position = (_NATIVE_TOKEN if native else _TOKEN), 0
        while text[position:].strip():
            match = pattern.match(text, position)
            if not match or match.end() == position:
                raise Unsupported(f"cannot read the expression from '{text[position:].strip()[:40]}' on")
            kind = str(match.lastgroup)
            self.tokens.append((kind, match[kind]))
            position = match.end()
        self.index = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.index] if self.index < len(self.tokens) else ("end", "")

    def take(self, value: Optional[str] = None) -> tuple[str, str]:
        token = self.peek()
        if value is not None and token[1] != value:
            raise Unsupported(f"'{value}' is missing in the expression")
        self.index += 1
        return token

    def whole(self) -> Node:
        node = self.expression(0)
        if self.peek()[0] != "end":
            raise Unsupported(f"'{self.peek()[1]}' is not expected in the expression")
        return node

    def sign(self) -> Optional[str]:
        kind, value = self.peek()
        if kind == "name" and value in ("and", "or"):
            return value
        if kind == "name" and value == "div" and not self.native:
            return "/"
        if kind == "name" and value == "mod" and not self.native:
            raise Unsupported("'mod' has no counterpart")
        return value if kind == "sign" and value in _RANKS else None

    def expression(self, least: int) -> Node:
        left = self.operand()
        while (sign := self.sign()) is not None and _RANKS[sign] > least:
            self.index += 1
            left = ("binary", sign, left, self.expression(_RANKS[sign]))
        return left

    def operand(self) -> Node:
        kind, value = self.take()
        if kind == "number":
            return ("number", float(value) if "." in value else int(value))
        if kind == "text":
            return ("text", value[1:-1].replace("''", "'") if self.native else value[1:-1])
        if kind == "ref":
            return ("field", [value[2:-1].strip()])
        if value == "(":
            node = self.expression(0)
            self.take(")")
            return node
        if value == "-":
            return ("negative", self.expression(_RANKS["*"]))
        if value == "." and not self.native:
            return ("self",)
        if kind == "name":
            if self.native and value == "not":
                return ("not", self.expression(_RANKS["and"]))
            if self.peek()[1] == "(":
                return self.call(value)
            if self.native:
                return ("truth", value == "true") if value in ("true", "false") else ("field", value.split("."))
        raise Unsupported(f"'{value}' is not expected in the expression" if value else "the expression is not complete")

    def call(self, name: str) -> Node:
        self.take("(")
        arguments: list[Node] = []
        while self.peek()[1] != ")":
            arguments.append(self.expression(0))
            if self.peek()[1] == ",":
                self.take(",")
        self.take(")")
        return ("call", name, arguments)


def parse_xpath(text: str) -> Node:
    """Parses an expression of XLSForm."""
    return _Parser(text, native=False).whole()


def parse_native(text: str) -> Node:
    """Parses a condition or a formula of a form."""
    return _Parser(text, native=True).whole()


def write(node: Node, *, native: bool) -> str:
    """Writes an expression in one of the two languages; every part that needs them has parentheses."""
    kind = node[0]
    if kind == "number":
        number: float = node[1]
        return str(int(number)) if number == int(number) else repr(number)
    if kind == "text":
        text: str = node[1]
        if native:
            return "'" + text.replace("'", "''") + "'"
        if "'" in node[1] and '"' in node[1]:
            raise Unsupported("a text with both kinds of quotes has no counterpart")
        return f'"{node[1]}"' if "'" in node[1] else f"'{node[1]}'"
    if kind == "truth":
        return ("true" if node[1] else "false") + ("" if native else "()")
    if kind == "field":
        return ".".join(node[1]) if native else "${%s}" % node[1][-1]
    if kind == "self":
        return "."
    if kind == "not":
        return f"not ({write(node[1], native=native)})" if native else f"not({write(node[1], native=native)})"
    if kind == "negative":
        return f"-{_inner(node[1], 6, native)}"
    if kind == "call":
        return f"{node[1]}({', '.join(write(one, native=native) for one in node[2])})"
    sign, rank = node[1], _RANKS[node[1]]
    shown = "div" if sign == "/" and not native else sign
    # Comparisons do not chain, and the right side binds tighter.
    left = _inner(node[2], rank + 1 if rank == 3 else rank, native)
    return f"{left} {shown} {_inner(node[3], rank + 1, native)}"


def _inner(node: Node, rank: int, native: bool) -> str:
    text = write(node, native=native)
    own = _RANKS[node[1]] if node[0] == "binary" else 2 if node[0] == "not" and native else 9
    return f"({text})" if own < rank else text


@dataclass
class Scope:
    """The fields that an expression can name."""

    #: The type of each field by its name, `group` and `repeat` for groups; `None` for what was left out.
    kinds: dict[str, Optional[str]] = field(default_factory=dict)
    #: The names of the groups around each field.
    groups: dict[str, list[str]] = field(default_factory=dict)
    #: The names of the groups around the expression.
    here: list[str] = field(default_factory=list)

    def kind(self, node: Node) -> Optional[str]:
        return self.kinds.get(node[1][-1]) if node[0] == "field" else None

    def path(self, name: str) -> list[str]:
        """The name as an expression of a form states it."""
        if self.kinds.get(name) is None:
            raise Unsupported(f"there is no field '{name}'")
        around = self.groups.get(name, [])
        if around != self.here[: len(around)]:
            raise Unsupported(f"'{name}' is in another group, where the expression cannot see it")
        return [name]


def from_xpath(node: Node, scope: Scope) -> Node:
    """Turns an expression of XLSForm into one of a form."""
    kind = node[0]
    if kind == "field":
        return ("field", scope.path(node[1][0]))
    if kind == "self":
        raise Unsupported("'.' is only known in simple constraints")
    if kind in ("not", "negative"):
        return (kind, from_xpath(node[1], scope))
    if kind == "binary":
        return _binary_from_xpath(node, scope)
    if kind == "call":
        return _call_from_xpath(node[1], node[2], scope)
    return node


def _binary_from_xpath(node: Node, scope: Scope) -> Node:
    _, sign, left, right = node
    if sign in ("=", "!="):
        for one, other in ((left, right), (right, left)):
            if one[0] == "field" and other == ("text", ""):
                answered: Node = ("call", "answered", [from_xpath(one, scope)])
                return answered if sign == "!=" else ("not", answered)
            if scope.kind(one) == "toggle" and other[0] == "text" and other[1] in ("true", "false", "yes", "no"):
                return ("binary", sign, from_xpath(one, scope), ("truth", other[1] in ("true", "yes")))
    days = [one[2][0] for one in (left, right) if one[0] == "call" and one[1] == "decimal-date-time" and len(one[2]) == 1]
    if sign == "-" and len(days) == 2:
        return ("call", "days", [from_xpath(days[1], scope), from_xpath(days[0], scope)])
    return ("binary", sign, from_xpath(left, scope), from_xpath(right, scope))


def _call_from_xpath(name: str, given: list[Node], scope: Scope) -> Node:
    def arguments(count: int) -> list[Node]:
        if len(given) != count:
            raise Unsupported(f"'{name}' has {len(given)} arguments here, not {count}")
        return [from_xpath(one, scope) for one in given]

    if name == "not":
        return ("not", arguments(1)[0])
    if name in ("true", "false"):
        return ("truth", name == "true")
    if name == "selected":
        one, option = arguments(2)
        kind = scope.kind(given[0])
        if kind == "choices":
            return ("call", "contains", [one, option])
        if kind == "toggle" and option[0] == "text":
            return ("binary", "=", one, ("truth", option[1] in ("true", "yes")))
        return ("binary", "=", one, option)
    if name == "count-selected":
        return ("call", "count", arguments(1))
    if name == "string-length":
        return ("call", "length", arguments(1))
    if name == "date":
        (one,) = arguments(1)
        if one[0] != "text":
            raise Unsupported("'date' is only known with a day in quotes")
        return one
    if name == "coalesce":
        one, other = arguments(2)
        return ("call", "if", [("call", "answered", [one]), one, other])
    if name == "sum":
        if len(given) != 1 or given[0][0] != "field":
            raise Unsupported("'sum' needs a field of a group that repeats")
        field_name = given[0][1][0]
        around = scope.groups.get(field_name, [])
        if scope.kinds.get(field_name) is None or len(around) != len(scope.here) + 1 or scope.kinds.get(around[-1]) != "repeat":
            raise Unsupported(f"'sum' needs a field of a group beside it that repeats, and '{field_name}' is none")
        return ("call", "sum", [("field", [around[-1], field_name])])
    if name == "count":
        return ("call", "count", arguments(1))
    if name == "today":
        return ("call", "today", arguments(0))
    if name == "if":
        return ("call", "if", arguments(3))
    if name == "round":
        return ("call", "round", [from_xpath(one, scope) for one in given][:2])
    if name in ("min", "max") and given:
        return ("call", name, [from_xpath(one, scope) for one in given])
    raise Unsupported(f"the function '{name}' has no counterpart")


def to_xpath(node: Node, scope: Scope, *, is_condition: bool = False) -> Node:
    """Turns an expression of a form into one of XLSForm."""
    kind = node[0]
    if kind == "field":
        if is_condition and scope.kind(node) == "toggle":
            return ("binary", "=", node, ("text", "true"))
        return node
    if kind == "not":
        return ("call", "not", [to_xpath(node[1], scope, is_condition=True)])
    if kind == "negative":
        return (kind, to_xpath(node[1], scope))
    if kind == "text" and re.fullmatch(r"\d{4}-\d{2}-\d{2}", node[1]):
        return ("call", "date", [node])
    if kind == "binary":
        sign, left, right = node[1:]
        for one, other in ((left, right), (right, left)):
            if scope.kind(one) == "toggle" and other[0] == "truth":
                return ("binary", sign, one, ("text", "true" if other[1] else "false"))
        logical = sign in ("and", "or")
        return ("binary", sign, to_xpath(left, scope, is_condition=logical), to_xpath(right, scope, is_condition=logical))
    if kind == "call":
        return _call_to_xpath(node[1], node[2], scope)
    return node


def _call_to_xpath(name: str, given: list[Node], scope: Scope) -> Node:
    arguments = [to_xpath(one, scope) for one in given]
    if name == "contains":
        return ("call", "selected", arguments)
    if name == "answered":
        if scope.kind(given[0]) in ("group", "repeat"):
            return ("binary", ">", ("call", "count", arguments), ("number", 0))
        return ("binary", "!=", arguments[0], ("text", ""))
    if name == "count" and scope.kind(given[0]) == "choices":
        return ("call", "count-selected", arguments)
    if name == "length":
        return ("call", "string-length", arguments)
    if name == "round":
        return ("call", "round", arguments if len(arguments) > 1 else arguments + [("number", 0)])
    if name == "if":
        return ("call", "if", [to_xpath(given[0], scope, is_condition=True)] + arguments[1:])
    if name == "days":
        first, last = (("call", "decimal-date-time", [one]) for one in arguments)
        return ("binary", "-", last, first)
    return ("call", name, arguments)
