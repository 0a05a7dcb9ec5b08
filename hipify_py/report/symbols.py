"""What the mapping tables know of a symbol, for people and for programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from hipify_py.catalog import Catalog, Row
from hipify_py.core.targeting import Targeting, older_forms, support_form
from hipify_py.core.translation import CONVERTED, NATIVE, UNKNOWN, UNSUPPORTED

_CLOSE = 0.75  # difflib's ratio from which on a name is worth suggesting
_SUGGESTIONS = 5
_PLATFORMS = {"cuda": "CUDA", "rocm": "ROCm"}


class Answer(NamedTuple):
    """One name asked for.

    Attributes:
        rows: the rows of the tables; several for a struct field that is named without its struct.
        written: the same rows as a translation uses them, with the support header for what HIP lacks.
        suggestions: similar names from the tables, if no row was found.
        library: the library that an unknown name seems to belong to, or does (see `advice`).
        advice: for names of a library that HIP lacks as a whole.
    """

    name: str
    rows: list[Row]
    written: list[Row]
    suggestions: list[str]
    library: str
    advice: str

    @property
    def is_known(self) -> bool:
        return bool(self.rows or self.advice)


def look_up(catalog: Catalog, name: str, *, suggest: bool = True) -> Answer:
    """Everything in the tables about a CUDA symbol, header (`cufft.h`, `<cufft.h>`) or field (`Struct.field`).

    If there is nothing, similar names, unless the caller does not want them.
    """
    wanted = name.strip('<>"')
    row = catalog.row(wanted.encode("utf-8", "surrogateescape"))
    rows = [row] if row is not None else list(_members(catalog, wanted))
    if rows:
        return Answer(name, rows, [_written(row, catalog.targeting) for row in rows], [], rows[0].library, "")
    is_header = wanted.endswith((".h", ".hpp", ".cuh")) or "/" in wanted
    family = catalog.family(wanted, header=is_header)
    if family is not None:
        return Answer(name, [], [], [], family.library, family.advice)
    return Answer(
        name, [], [], near_misses(catalog, wanted) if suggest else [], catalog.candidate_library(wanted) or "", ""
    )


def _written(row: Row, targeting: Targeting) -> Row:
    """The row that a translation without further options uses."""
    if row.details.get("experimental"):
        return Row(row.name, row.library, row.kind, None, row.details)
    return support_form(row, targeting)


def near_misses(catalog: Catalog, name: str, further: Iterable[str] = ()) -> list[str]:
    """Names of the tables, and `further` ones, that `name` may be a slip of, the likeliest first.

    Comparing costs; so only names of a similar length, made of much the same letters, are compared at all.
    """
    import difflib

    low = name.lower()
    room = max(2, len(low) // 4)
    pairs = _pairs(low)
    candidates: dict[str, str] = {}
    for other in (*(packed.decode("utf-8", "replace") for packed in catalog.names), *further):
        if abs(len(other) - len(low)) <= room and 2 * len(pairs & _pairs(other.lower())) >= len(pairs):
            candidates[other] = other.lower()
    scored = []
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(low)
    for other, other_low in candidates.items():
        matcher.set_seq1(other_low)
        if matcher.quick_ratio() >= _CLOSE and (ratio := matcher.ratio()) >= _CLOSE:
            scored.append((-ratio, other))
    return [other for _, other in sorted(scored)[:_SUGGESTIONS]]


def answer_lines(answer: Answer) -> list[str]:
    """An answer as lines of text."""
    if not answer.is_known:
        looks = f" (looks like {answer.library})" if answer.library else ""
        lines = [f"{answer.name}: unknown{looks}"]
        if answer.suggestions:
            lines.append(f"  did you mean: {', '.join(answer.suggestions)}")
        return lines
    if answer.advice:
        return [f"{answer.name}: unsupported", f"  library: {answer.library}", f"  advice:  {answer.advice}"]
    return [line for row, written in zip(answer.rows, answer.written, strict=True) for line in row_lines(row, written)]


def answer_document(answer: Answer) -> dict[str, Any]:
    """An answer as a JSON document."""
    if not answer.rows:
        return {
            "name": answer.name,
            "outcome": UNSUPPORTED if answer.advice else UNKNOWN,
            "library": answer.library or None,
            "advice": answer.advice or None,
            "suggestions": answer.suggestions,
        }
    documents = [row_document(row, written) for row, written in zip(answer.rows, answer.written, strict=True)]
    return documents[0] if len(documents) == 1 else {"name": answer.name, "fields": documents}


def row_document(row: Row, written: Row) -> dict[str, Any]:
    """A row as a JSON document."""
    document = {
        "name": row.name,
        "outcome": outcome(written),
        "library": row.library,
        "kind": row.kind,
        "hip": written.hip,
        **{key: value for key, value in written.details.items() if key != "always"},
    }
    if written.details is not row.details:
        document["without_support"] = {"outcome": outcome(row), "hip": row.hip, **_but_support(row.details)}
    return document


def _but_support(details: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in details.items() if key != "support"}


def outcome(row: Row) -> str:
    """How references to this symbol end."""
    if row.is_unsupported:
        return UNSUPPORTED
    return NATIVE if row.is_native else CONVERTED


def row_lines(row: Row, written: Row, *, arguments: bool = True) -> Iterator[str]:
    """What a row says, and its form that a translation goes by; `arguments` includes the edits of arguments."""
    details = row.details
    if written.details.get("drop"):
        yield f"{row.name}: converted (the include is removed; HIP needs none)"
    elif written.is_unsupported:
        yield f"{row.name}: unsupported"
    else:
        yield f"{row.name}: {outcome(written)}" + ("" if written.is_native else f" -> {written.hip or '(nothing)'}")
    yield f"  library: {row.library} ({row.kind})"
    if "roc" in details:
        yield f"  --target roc: {_target(details['roc'])}"
    for label, value in _argument_edits(written.details) if arguments else ():
        yield f"  {label}: {value}"
    for label, value in _forms(details):
        yield f"  {label}: {value}"
    if "hip" in details.get("warp32", ()):
        yield f"  with warps kept at 32 lanes: {_at_32_lanes(row)}"
    for platform, name in _PLATFORMS.items():
        versions = details.get(platform)
        if versions:
            yield f"  {name} versions: " + ", ".join(f"{event} in {version}" for event, version in versions.items())
    for form in older_forms(row.details):
        bounds = " and ".join(f"{_PLATFORMS[side]} {form[side]}" for side in _PLATFORMS if side in form)
        yield f"  before {bounds}: {_target(form, row.hip)}"
    if written.section:
        yield f"  support header: section {written.section}"
    if written.details is not details:
        yield f"  without the support header (--no-support): {_plainly(row)}"
    elif "support" in details:
        support = details["support"]
        section = f" (section {support['section']})" if "section" in support else ""
        yield f"  support header, if HIP lacks it: {support.get('hip', 'the include is removed')}{section}"
    if details.get("experimental"):
        yield f"  experimental: {row.hip}, marked as such by AMD; --experimental uses it"
    if row.differs:
        yield f"  differs: {row.differs}"
    if written.note:
        yield f"  note:    {written.note}"
    if written.advice:
        yield f"  advice:  {written.advice}"


def _at_32_lanes(row: Row) -> str:
    """The names that a warp operation gets where warps are kept at 32 lanes, that of a plain call first."""
    form = row.details["warp32"]
    forms = [*form.get("by_arity", {}).values(), form]
    return " or ".join(dict.fromkeys(each["hip"] for each in forms if "hip" in each))


def _plainly(row: Row) -> str:
    """What becomes of a symbol for which HIP's own means have to do, and what there is to know of it."""
    if row.is_unsupported:
        return f"unsupported{row.remedy}"
    edits = list(_argument_edits(row.details))
    target = row.hip or "; ".join(value for _, value in edits if value != "dropped") or "the include is removed"
    return f"{target}: {row.note}" if row.note else target


def _argument_edits(details: Any) -> Iterator[tuple[str, str]]:
    for index, template in details.get("args", {}).items():
        yield f"argument {index}", "dropped" if template is None else str(template)
    for index, text in details.get("insert", {}).items():
        yield f"before argument {index}", str(text)
    if "order" in details:
        yield "arguments in the order", ", ".join(map(str, details["order"]))


def _forms(details: Any) -> Iterator[tuple[str, str]]:
    for count, choice in details.get("by_arity", {}).items():
        yield f"called with {count} arguments", _target(choice)
    for index, types in details.get("by_type", {}).items():
        for type, choice in types.items():
            yield f"argument {index} a {type}", _target(choice)


def _target(choice: Any, otherwise: str | None = None) -> str:
    """The target that a part of a row names: a string, or a mapping that may keep the row's own."""
    support = {} if isinstance(choice, str) else choice.get("support", {})
    if support.get("always") or (support and choice.get("unsupported")):
        return str(support["hip"])
    if isinstance(choice, str):
        return choice
    if choice.get("unsupported"):
        return f"unsupported: {choice['advice']}" if choice.get("advice") else "unsupported"
    return str(choice.get("hip") or otherwise or "unsupported")


def _members(catalog: Catalog, name: str) -> Iterator[Row]:
    struct, dot, field = name.partition(".")
    wanted = field if dot else struct
    for owner, fields in catalog.members.items():
        if (not dot or owner == struct.encode()) and wanted.encode("utf-8", "surrogateescape") in fields:
            row = catalog.member(owner, wanted.encode())
            if row is not None:
                yield row


def _pairs(text: str) -> set[str]:
    bare = re.sub(r"\W", "", text)
    return {bare[i : i + 2] for i in range(len(bare) - 1)}
