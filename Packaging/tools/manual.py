"""Manual pages (mdoc) of the executables, from their own command definitions.

A page for each command: `cordon-simulate(1)` for `cordon simulate`. The definitions come from `--experimental-dump-help`, the settings
of the server from `cordon-server settings`, and the keys of the tracker's file from the tables of docs/reference/tracker.md.
"""
import datetime
import json
import re
import subprocess
import textwrap

# The section of each executable, and the page of its configuration file.
SECTIONS = {"cordon": 1, "cordon-server": 8, "cordon-track": 1}
CONFIGURATION = {"cordon-server": "cordon-server.conf", "cordon-track": "cordon-track.json"}
MONTHS = "January February March April May June July August September October November December".split()


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def escaped(text):
    """Text whose characters mean nothing to roff."""
    text = text.replace("\\", "\\e").replace("\u2026", "...").replace("\u2013", "-")
    return "\\&" + text if text.startswith((".", "'")) else text


def argument(text):
    """One argument of a macro."""
    text = escaped(text).replace('"', "\\(dq")
    # A punctuation mark or the name of a macro alone would be read as such.
    if re.fullmatch(r"[.,:;()\[\]?!|]|[A-Z][a-z]", text):
        text = "\\&" + text
    return f'"{text}"' if " " in text or not text else text


def prose(text):
    """Lines of a paragraph: each sentence begins a line."""
    lines = []
    for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z'(`])", " ".join(text.split())):
        for line in textwrap.wrap(sentence, 76, break_long_words=False, break_on_hyphens=False):
            lines.append(escaped(line))
    return lines


def paragraphs(text):
    """Lines of a discussion; indented lines are examples."""
    lines = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        rows = block.split("\n")
        if all(row.startswith("  ") for row in rows):
            lines += [".Bd -literal -offset indent", *(escaped(row[2:]) for row in rows), ".Ed"]
        else:
            if lines:
                lines.append(".Pp")
            lines += prose(block)
    return lines


class Page:
    """A manual page: its name, section and lines."""

    def __init__(self, name, section, summary, version, date):
        self.name, self.section = name, section
        day = datetime.datetime.fromtimestamp(date, datetime.timezone.utc)
        summary = summary.strip().rstrip(".")
        if not re.match(r"[A-Z]{2}", summary):
            summary = summary[:1].lower() + summary[1:]
        self.lines = [
            f".Dd {MONTHS[day.month - 1]} {day.day}, {day.year}", f".Dt {name.upper()} {section}", f".Os Cordon {version}",
            ".Sh NAME", f".Nm {name}", f".Nd {escaped(' '.join(summary.split()))}",
        ]

    @property
    def file(self):
        return f"{self.name}.{self.section}"

    def add(self, *lines):
        self.lines += lines

    def section_of(self, title, lines):
        if lines:
            self.add(f".Sh {title}", *lines)

    def see_also(self, pages):
        pages = sorted(set(pages) - {(self.name, self.section)}, key=lambda page: (page[1], page[0]))
        self.section_of("SEE ALSO", [
            f".Xr {name} {section}{' ,' if at + 1 < len(pages) else ''}" for at, (name, section) in enumerate(pages)])

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def flag(name):
    return f"Fl {name['name']}" if name["kind"] != "long" else f"Fl -{name['name']}"


def value_of(entry):
    name = entry.get("valueName") or "value"
    return f"Ar {argument(name)}" + (" ..." if entry.get("isRepeating") and entry["kind"] == "positional" else "")


def shown(command):
    return [entry for entry in command.get("arguments", []) if entry.get("shouldDisplay", True)]


def synopsis(entry):
    if entry["kind"] == "positional":
        item = value_of(entry)
    else:
        item = flag(entry["preferredName"]) + ("" if entry["kind"] == "flag" else " " + value_of(entry))
        if entry.get("isRepeating"):
            item += " ..."
    return f".Op {item}" if entry.get("isOptional") or entry.get("defaultValue") is not None else f".{item}"


def described(entry):
    """A list item of an argument or an option."""
    if entry["kind"] == "positional":
        head = value_of(entry)
    else:
        value = "" if entry["kind"] == "flag" else " " + value_of(entry)
        head = " , ".join(flag(name) + value for name in entry["names"])
    text = entry.get("abstract") or ""
    values = entry.get("allValues") or []
    if values and not all(value in text for value in values):
        text += f" Values: {', '.join(values)}."
    default = entry.get("defaultValue")
    if default not in (None, "") and entry["kind"] != "flag" and "(default" not in text:
        text += f" (default: {default})"
    lines = [f".It {head}"]
    if text:
        lines += prose(text)
    if entry.get("discussion"):
        lines += [".Pp", *paragraphs(entry["discussion"])]
    return lines


def options(command):
    """Items under the titles of their groups."""
    groups = {}
    for entry in shown(command):
        title = entry.get("sectionTitle") or ("Arguments" if entry["kind"] == "positional" else "Options")
        groups.setdefault(title, []).append(entry)
    lines = []
    for title, entries in groups.items():
        if len(groups) > 1:
            lines.append(f".Ss {argument(title)}")
        lines.append(".Bl -tag -width Ds")
        for entry in entries:
            lines += described(entry)
        lines.append(".El")
    return lines


def exit_status(text):
    """Splits the sentence about the exit status from a discussion."""
    match = re.search(r"\n*Exit status: (.*)$", text, re.S)
    return (text[: match.start()], " ".join(match[1].split())) if match else (text, None)


def command_pages(executable, definition, version, date, taken):
    """The pages of an executable and its subcommands, outermost first."""
    section = SECTIONS[executable]
    _, status = exit_status(definition["command"].get("discussion") or "")
    pages = []

    def visit(command, path):
        path = path + [command["commandName"]]
        name = "-".join(path)
        children = [
            child for child in command.get("subcommands", [])
            if child.get("shouldDisplay", True) and child["commandName"] != "help"]
        page = Page(name, section, command.get("abstract") or name, version, date)
        page.add(".Sh SYNOPSIS", f".Nm {path[0]}", *(f".Cm {word}" for word in path[1:]))
        page.add(*(synopsis(entry) for entry in shown(command)))
        if children:
            page.add(".Ar command" if not command.get("defaultSubcommand") else ".Op Ar command", ".Op Ar argument ...")
        text, _ = exit_status(command.get("discussion") or "")
        page.section_of("DESCRIPTION", prose(command.get("abstract") or "") + (
            [".Pp", *paragraphs(text)] if text.strip() else []))
        if children:
            lines = [".Bl -tag -width Ds"]
            for child in children:
                isDefault = child["commandName"] == command.get("defaultSubcommand")
                lines += [f".It Cm {child['commandName']}" + (" Pq default" if isDefault else "")]
                lines += prose(child.get("abstract") or "")
            page.section_of("COMMANDS", lines + [".El"])
        page.section_of("OPTIONS", options(command))
        if status:
            page.section_of("EXIT STATUS", prose(f"The exit status is one of: {status}"))
        related = [("-".join(path[:-1]), section)] if len(path) > 1 else []
        if executable in CONFIGURATION:
            related.append((CONFIGURATION[executable], 5))
        related += [
            ("-".join(path + [child["commandName"]]), section) for child in children
            if "-".join(path + [child["commandName"]]) not in taken]
        page.see_also(related)
        pages.append(page)
        for child in children:
            # `cordon track` runs another executable, whose page describes it.
            if "-".join(path + [child["commandName"]]) not in taken:
                visit(child, path)

    visit(definition["command"], [])
    return pages


def settings_page(text, version, date):
    """The page of the server's configuration file, from the output of `cordon-server settings`."""
    page = Page("cordon-server.conf", 5, "Settings of the Cordon server", version, date)
    page.section_of("SYNOPSIS", [".Pa /etc/cordon/cordon-server.conf"])
    page.section_of("DESCRIPTION", [
        *prose("The file has lines of the form"), ".Bd -literal -offset indent", "name = value", ".Ed",
        *prose("A line that begins with # is a comment. An unknown name is an error, and so is a name that is set twice. "
               "Variables of the environment take precedence over the file: CORDON_ and the name in capitals, with _ for -, "
               "such as CORDON_POSITION_RETENTION. Arguments take precedence over both.")])
    lines = [".Bl -tag -width Ds"]
    for help, commented, name, value in re.findall(r"^# (.*)\n(# )?([a-z-]+) =[ ]?(.*)$", text, re.M):
        lines += [f".It Cm {name}", *prose(help[:1].upper() + help[1:] + ".")]
        if not commented and value:
            lines += prose(f"The default is {value}.")
    page.section_of("SETTINGS", lines + [".El"])
    page.section_of("FILES", [
        ".Bl -tag -width Ds", ".It Pa /etc/cordon/venues", *prose("The venue bundles of the service."),
        ".It Pa /var/lib/cordon-server", *prose("The state of the service."), ".El"])
    page.see_also([("cordon-server", 8), ("cordon-server-settings", 8), ("cordon-server-serve", 8)])
    return page


def tracker_page(reference, version, date):
    """The page of the tracker's file, from the tables of its reference page."""
    page = Page("cordon-track.json", 5, "Configuration of the Cordon tracker", version, date)
    part = reference[reference.index("## The file"):]
    part = part[: part.index("\n## ", 4)]
    example = re.search(r"```json\n(.*?)```", part, re.S)[1]

    def table(head):
        rows = re.search(r"^\| " + head + r" \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", part, re.M)[1]
        lines = [".Bl -tag -width Ds"]
        for row in rows.strip().split("\n"):
            cells = [cell.strip() for cell in row.strip("|").split("|")]
            names = re.findall(r"`([^`]+)`", cells[0])
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cells[1]).replace("`", "")
            default = cells[2].replace("`", "") if len(cells) > 2 else ""
            lines += [".It " + " , ".join(f"Cm {name}" for name in names), *prose((text if cells[1].startswith("`") else text[:1].upper() + text[1:]) + ".")]
            if default:
                lines += prose(f"The default is {default}.")
        return lines + [".El"]

    page.section_of("SYNOPSIS", [".Pa /etc/cordon/cordon-track.json"])
    page.section_of("DESCRIPTION", [
        *prose("The file is a JSON object. Paths are relative to the file. An unknown key is an error. Durations may omit "
               "their unit: 90 is 90 s. Variables of the environment take precedence over the file: CORDON_TRACK_ and a key "
               "in capitals, for all keys except venues and sinks."),
        *table("key"), ".Ss Keys of a sink", *table("key of a sink"), ".Ss Kinds of sinks", *table("kind")])
    page.section_of("EXAMPLES", [
        ".Bd -literal -offset indent", *(escaped(line) for line in example.rstrip().split("\n")), ".Ed"])
    page.see_also([("cordon-track", 1), ("cordon-track-doctor", 1)])
    return page


def pages(executables, root, version, date):
    """All pages: a dictionary of executable to pages.

    - executables: name and path of each.
    - root: the checkout.
    """
    found = {}
    for name, path in executables.items():
        definition = json.loads(output(path, "--experimental-dump-help"))
        taken = set(SECTIONS) - {name}
        found[name] = command_pages(name, definition, version, date, taken)
    if "cordon-server" in executables:
        found["cordon-server"].append(settings_page(output(executables["cordon-server"], "settings"), version, date))
    if "cordon-track" in executables:
        reference = (root / "docs" / "reference" / "tracker.md").read_text("utf-8")
        found["cordon-track"].append(tracker_page(reference, version, date))
    return found
