"""What the other rules leave nothing of: `target_compile_options(x PRIVATE)`, `set(X )`, `if(X)` with no commands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from hipify_py.build_systems.cmake.lexer import CLOSE, OPEN, UNQUOTED, Command
from hipify_py.build_systems.cmake.list_file import CMakeFile
from hipify_py.build_systems.cmake.rules.conditions import Branch, chains
from hipify_py.build_systems.cmake.rules.linked import held
from hipify_py.build_systems.cmake.rules.option_places import LISTING
from hipify_py.build_systems.cmake.rules.variables import described
from hipify_py.build_systems.file import Range

_KEYWORDS = frozenset({"PUBLIC", "PRIVATE", "INTERFACE", "BEFORE"})


def apply(file: CMakeFile) -> None:
    """Take such commands out, set such variables to nothing, and take out the blanks around such arguments."""
    removed = file.removed()
    starts = [start for start, _ in removed]
    for command in file.commands:
        gone = []
        for number, argument in enumerate(command.arguments):
            at = bisect_right(starts, argument.inner) - 1
            if argument.kind not in {OPEN, CLOSE} and at >= 0 and argument.inner < argument.inner_end <= removed[at][1]:
                gone.append(number)
        if _is_same(file, command, removed):
            file.drop_command(command)
        if not gone:
            continue
        at = bisect_right(starts, command.start) - 1
        if at >= 0 and command.end <= removed[at][1]:
            continue
        if command.name in LISTING and set(gone) >= set(_options(command)):
            file.drop_command(command)
        elif command.name == "set" and gone == [*range(1, len(command.arguments))] and _is_own(file, command):
            file.replace_whole(command.arguments[0].end, command.end, ' "")')
        elif command.name != "set" or set(gone) < set(held(command)):
            for number in gone:
                if command.arguments[number].kind == UNQUOTED:
                    file.drop_argument(command.arguments[number])
    _blocks(file)


def _blocks(file: CMakeFile) -> None:
    """Take out loops and conditions, or their last branches, if nothing is left in them; inner ones first."""
    removed = file.removed()
    starts = [start for start, _ in removed]
    begins = [command.start for command in file.commands]
    for chain in chains(file.commands):
        emptied: list[Branch] = []
        for branch in reversed(chain):
            body = file.commands[bisect_left(begins, branch.head.end) : bisect_left(begins, branch.after.start)]
            spans = [bisect_right(starts, each.start) - 1 for each in body]
            are_removed = all(at >= 0 and each.end <= removed[at][1] for at, each in zip(spans, body, strict=True))
            if not are_removed or file.writes_in(branch.head.end, branch.after.start):
                break
            if body or emptied:  # one without commands is the author's own
                emptied.append(branch)
        for branch in emptied:
            file.forget(branch.head.start, branch.head.end)
        if not emptied:
            continue
        if emptied[-1] == chain[0]:
            file.drop_block(chain[0].head.start, chain[-1].after.end)
        else:
            file.replace_whole(emptied[-1].head.start, emptied[0].after.start, "")
        removed = file.removed()
        starts = [start for start, _ in removed]


def _is_same(file: CMakeFile, command: Command, removed: list[Range]) -> bool:
    """Whether options were removed, and what is left sets a variable to its own value: `set(FLAGS "${FLAGS}")`."""
    if command.name != "set" or len(command.words) < 2 or "holds" not in (described(file, command.words[0]) or {}):
        return False
    data, start, end = file.source.data, command.arguments[0].end, command.end - 1
    left = b""
    for first, last in removed[bisect_right(removed, (start, start)) :]:
        if first >= end:
            break
        left, start = left + data[start:first], last
    return start != command.arguments[0].end and (left + data[start:end]).strip(b' \t\r\n"') == (
        f"${{{command.words[0]}}}".encode()
    )


def _options(command: Command) -> list[int]:
    """The arguments that are options."""
    first = 1 if command.name.startswith("target_") else 0
    return [number for number, word in enumerate(command.words) if number >= first and word not in _KEYWORDS]


def _is_own(file: CMakeFile, command: Command) -> bool:
    """Whether the project's own variable is set, with no comments among its values."""
    has_comment = any(command.opened < start < command.end for start, _ in file.comments)
    return not has_comment and described(file, command.words[0]) is None
