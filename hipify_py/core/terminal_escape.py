"""Text for people: escapes what a terminal would execute, or would not show.

File names and code come from untrusted trees. A newline in one could forge a line of the output, an escape sequence
could change what the terminal shows, and a direction mark could reverse it.
"""

import re

_WORKFLOW_COMMANDS = (
    "error|warning|notice|debug|group|endgroup|add-mask|stop-commands|echo|add-matcher|remove-matcher"
    "|set-output|save-state|set-env|add-path"
)


def visible(text: str) -> str:
    """The text with everything escaped but printable characters, spaces and tabs (`\\n`, `\\x1b`, `\\u202e`).

    Bytes that were not UTF-8 (surrogates, as `os.fsdecode` makes them) become `\\xNN`.
    """
    if text.replace("\t", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\t" else _escaped(c) for c in text)


def log_line(text: str) -> str:
    """A line for people, escaped by `visible`, that no build server takes for a command.

    Azure Pipelines, TeamCity and older runners of GitHub read commands wherever a log line contains `##name[`, GitHub
    if a line begins with `::name`.
    """
    shown = visible(text)
    if "##" not in shown and not shown.lstrip().startswith("::"):
        return shown
    shown = re.sub(r"##(?=(?:vso|teamcity)?\[)", r"#\\x23", shown, flags=re.IGNORECASE)
    return re.sub(rf"^(\s*):(?=:(?:{_WORKFLOW_COMMANDS})\b)", r"\1\\x3a", shown)


def visible_lines(data: bytes) -> bytes:
    """Code for a terminal: its lines as they are, except for characters that would not be visible.

    A carriage return before a newline is left alone.
    """
    lines = data.split(b"\n")
    return b"\n".join(_visible_line(line) for line in lines)


def _visible_line(line: bytes) -> bytes:
    ending = b"\r" if line.endswith(b"\r") else b""
    shown = visible(line.removesuffix(b"\r").decode("utf-8", "surrogateescape"))
    return shown.encode("utf-8", "surrogateescape") + ending


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")
