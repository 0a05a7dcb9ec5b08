"""Write ``mappings/*.yaml`` from a directory of facts and the hand decisions.

A maintainer's tool: it seeds the tables, which people edit afterwards.

    python tools/generate_mappings.py FACTS_DIR --tree 6.4=ROCM_6_4/include

The facts (CSV files; FACTS_DIR/README.md describes them) say which HIP name
stands for which CUDA name.  ``tools/decisions.yaml`` says the rest: which
table a symbol belongs to, which names are junk, what an unsupported symbol's
user does instead, and every row that a person decided.  A decided row wins
over the facts, field by field.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

Row = dict[str, Any]
Fact = dict[str, str]

SECTIONS = (
    "headers",
    "namespaces",
    "functions",
    "device_functions",
    "types",
    "enumerators",
    "macros",
    "variables",
)
SECTION_OF_KIND = {
    "header": "headers",
    "namespace": "namespaces",
    "function": "functions",
    "device_function": "device_functions",
    "type": "types",
    "enum_value": "enumerators",
    "macro": "macros",
    "variable": "variables",
}
FIELD_ORDER = (
    "hip",
    "roc",
    "unsupported",
    "experimental",
    "standard",
    "drop",
    "main",
    "args",
    "insert",
    "order",
    "by_arity",
    "before",
    "cuda",
    "rocm",
    "note",
    "advice",
)
TARGET_FIELDS = ("hip", "roc", "args", "insert", "order", "by_arity", "before", "drop", "main")
HEADER_COMMENT = (
    "# Seeded by tools/generate_mappings.py; from here on edit this file by hand (schema: mappings/schema.json).\n"
)


@dataclass
class Facts:
    """The CSV files, indexed by CUDA name."""

    best: dict[str, Fact]
    full: dict[str, Fact]
    derived: dict[str, Fact]
    stale: dict[str, Fact]
    symbols: dict[str, Fact]
    rocm: dict[str, Fact]
    differences: dict[str, list[Fact]]
    fields: list[Fact]
    trees: dict[str, set[str]] = field(default_factory=dict)


@dataclass
class Table:
    """One mapping file on its way to disk."""

    name: str
    decisions: dict[str, Any]
    sections: dict[str, dict[str, Row]] = field(default_factory=lambda: defaultdict(dict))
    members: dict[str, dict[str, Row]] = field(default_factory=lambda: defaultdict(dict))

    @property
    def apis(self) -> list[str]:
        """Return the names by which the facts call this library."""
        return list(self.decisions.get("apis", [self.name]))


# --------------------------------------------------------------------------- reading


def read_csv(path: Path) -> list[Fact]:
    """Read one CSV file of the facts."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def index(rows: Iterable[Fact], key: str) -> dict[str, Fact]:
    """Index rows by a column; the first row of a name wins."""
    result: dict[str, Fact] = {}
    for row in rows:
        result.setdefault(row[key], row)
    return result


def read_facts(directory: Path) -> Facts:
    """Read every CSV file that the tables are made from."""
    differences: dict[str, list[Fact]] = defaultdict(list)
    for name in ("signature_diffs.csv", "signature_diffs_roc.csv"):
        for row in read_csv(directory / name):
            differences[row["cuda"]].append(row)
    return Facts(
        best=index(read_csv(directory / "best_map.csv"), "cuda"),
        full=index(read_csv(directory / "cuda_hip_map.csv"), "cuda"),
        derived=index(read_csv(directory / "derived_map.csv"), "cuda"),
        stale=index(read_csv(directory / "stale.csv"), "cuda"),
        symbols=index(read_csv(directory / "cuda_symbols.csv"), "symbol"),
        rocm=index(read_csv(directory / "rocm_symbols.csv"), "symbol"),
        differences=differences,
        fields=read_csv(directory / "struct_fields.csv"),
    )


def read_tree(include: Path) -> set[str]:
    """Return every identifier in the HIP headers of one ROCm version."""
    names: set[str] = set()
    for path in (include / "hip").rglob("*.h"):
        names.update(re.findall(r"[A-Za-z_]\w*", path.read_text(encoding="utf-8", errors="replace")))
    return names


# --------------------------------------------------------------------------- routing


@cache
def pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern of the decisions once."""
    return re.compile(text)


def matches(patterns: Iterable[str], name: str) -> bool:
    """Say whether any of the patterns matches the whole name."""
    return any(pattern(text).fullmatch(name) for text in patterns)


def table_of(api: str, header: str, name: str, decisions: dict[str, Any]) -> str | None:
    """Return the table that a symbol of the facts belongs to, or None to leave it out."""
    for route in decisions["routes"]:
        if (
            route["api"] == api
            and pattern(route.get("header", ".*")).fullmatch(header)
            and pattern(route.get("name", ".*")).fullmatch(name)
        ):
            return str(route["table"]) if route["table"] else None
    return api if api in decisions["tables"] else None


def is_junk(name: str, table: Table, decisions: dict[str, Any]) -> bool:
    """Say whether a name must not count as a CUDA reference wherever it appears."""
    settings = table.decisions
    if name in settings.get("keep", ()):
        return False
    if matches(decisions["drop"], name) or matches(settings.get("drop", ()), name):
        return True
    return not pattern(settings["names"]).fullmatch(name)


# --------------------------------------------------------------------------- rows


def version(text: str) -> tuple[int, ...]:
    """Turn "11.8" into (11, 8) for comparison."""
    return tuple(int(part) for part in text.split("."))


def versions(row: Row, side: str, values: dict[str, str], oldest: str) -> None:
    """Record versions; an addition older than anything supported is left out."""
    kept = {key: re.sub(r"^(\d+\.\d+)\.0$", r"\1", value) for key, value in values.items() if value}
    if "added" in kept and version(kept["added"]) <= version(oldest):
        del kept["added"]
    if kept:
        row[side] = kept


def version_fields(row: Row, name: str, table: Table, facts: Facts, oldest: dict[str, str]) -> None:
    """Add what the facts know about when CUDA and ROCm added or removed a symbol."""
    full = facts.full.get(name)
    symbol = facts.symbols.get(name)
    cuda: dict[str, str] = {}
    if full and not table.decisions.get("foreign_versions"):
        cuda = {key: full[f"cuda_{key}"] for key in ("added", "deprecated", "removed")}
        cuda["changed"] = full["cuda_signature_changed"]
    if symbol and symbol["cuda12"] == "yes" and symbol["cuda13"] == "no":
        cuda["removed"] = cuda.get("removed") or "13.0"
    if not table.decisions.get("foreign_versions"):
        versions(row, "cuda", cuda, oldest["cuda"])
    hip = row.get("hip")
    if full and hip and full["hip"] == hip:
        values = {key: full[f"hip_{key}"] for key in ("added", "deprecated", "removed")}
        values["changed"] = full["hip_signature_changed"]
        if any(values.values()):
            versions(row, "rocm", values, oldest["rocm"])
            return
    seen = facts.rocm.get(str(hip), {}).get("rocm_version", "")
    if hip and hip != name and facts.rocm.get(str(hip), {}).get("library") == "hip":
        trees = [text for text, names in facts.trees.items() if hip in names]
        versions(row, "rocm", {"added": first_seen([*seen.split(), *trees])}, oldest["rocm"])


def add_known_versions(row: Row, decisions: dict[str, Any]) -> None:
    """Add the ROCm version that a person looked up for a target."""
    for number, names in decisions["rocm_added"].items():
        if row.get("hip") in str(names).split():
            row.setdefault("rocm", {}).setdefault("added", number)


def first_seen(seen: list[str]) -> str:
    """Return the oldest of some versions, when that is 6.4 or newer."""
    known = [text for text in seen if re.fullmatch(r"\d+\.\d+", text)]
    oldest = min(known, key=version, default="")
    return oldest if oldest and version(oldest) >= (6, 4) else ""


def target(name: str, table: Table, facts: Facts, decisions: dict[str, Any]) -> str | None:
    """Return the HIP name that stands for a CUDA name today, or None."""
    best = facts.best.get(name)
    full = facts.full.get(name, {})
    if table.decisions.get("target") == "roc":
        return roc_target(full, facts)
    if table.decisions.get("target") == "none":
        return None
    if best and best["basis"] in ("map", "map, renamed since", "derived high", "derived medium"):
        return best["best_hip"] or None
    if best and best["basis"] == "derived low" and name in decisions["accept_low"]:
        return best["best_hip"]
    if name in facts.rocm and table.decisions.get("same_name_is_native"):
        return name
    return None


def roc_target(full: Fact, facts: Facts) -> str | None:
    """Return the ROCm-native name of a row when ROCm still has it."""
    roc = full.get("roc", "")
    supported = full.get("roc_status") in ("supported", "deprecated")
    return roc if supported and roc in facts.rocm else None


def older_target(name: str, hip: str, facts: Facts) -> Row | None:
    """Return the target that held before hipBLAS 3 dropped its ``_v2`` names."""
    old = facts.stale.get(name, {}).get("hip", "")
    if old and "_v2" in old and old != hip and hip.startswith("hipblas"):
        return {"rocm": "7.0", "hip": old}
    return None


def generated_row(name: str, table: Table, facts: Facts, decisions: dict[str, Any]) -> Row:
    """Make the row of a symbol from the facts alone."""
    row: Row = {}
    hip = target(name, table, facts, decisions)
    full = facts.full.get(name, {})
    if hip is None:
        row["unsupported"] = True
    else:
        row["hip"] = hip
        roc = full.get("roc", "")
        if roc and roc != hip and full.get("roc_status") in ("supported", "deprecated"):
            row["roc"] = roc
        older = older_target(name, hip, facts)
        if older:
            row["before"] = older
        if full.get("hip_experimental") and full.get("hip") == hip:
            row["experimental"] = True
    version_fields(row, name, table, facts, decisions["oldest"])
    return row


def merge(row: Row, decided: Row | str) -> Row:
    """Lay a decided row over a generated one."""
    if isinstance(decided, str):
        decided = {"hip": decided}
    strange = set(decided) - set(FIELD_ORDER)
    if strange:
        raise ValueError(f"not a field of a row (an unquoted comma?): {sorted(strange)}")
    result = dict(row)
    if decided.get("unsupported"):
        for key in (*TARGET_FIELDS, "rocm", "note", "experimental"):
            result.pop(key, None)
    if "hip" in decided or "drop" in decided:
        result.pop("unsupported", None)
        if decided.get("hip") != row.get("hip"):
            for key in ("roc", "rocm", "before", "experimental", "advice"):
                result.pop(key, None)
    result.update(decided)
    return {key: value for key, value in result.items() if value is not None}


def advice(name: str, table: Table, facts: Facts, decisions: dict[str, Any]) -> str:
    """Return what a user of an unsupported symbol does instead."""
    if table.decisions.get("target") == "roc":
        derived = facts.derived.get(name, {})
        if derived.get("confidence") == "high":
            return str(table.decisions["advice_derived"]).format(hip=derived["hip"])
    for rule in (*decisions["advice_for"], *table.decisions.get("advice_for", ())):
        if pattern(rule["name"]).fullmatch(name):
            return str(rule["advice"])
    return str(table.decisions["advice"])


# --------------------------------------------------------------------------- notes


def note_rule(name: str, table: Table) -> str | None:
    """Return the note that a rule of the table gives to every name of a form."""
    for rule in table.decisions.get("note_for", ()):
        if pattern(rule["name"]).fullmatch(name):
            return str(rule["note"])
    return None


def note_of(name: str, row: Row, facts: Facts) -> str | None:
    """Say in words what differs in a call that a plain rename breaks or bends."""
    for fact in facts.differences.get(name, ()):
        if fact["hip"] != row.get("hip"):
            continue
        if fact["breaks"] not in ("yes", "likely") and fact["diff_class"] != "defaults":
            continue
        return describe(fact)
    return None


def describe(fact: Fact) -> str:
    """Turn a signature difference into a sentence."""
    hip, text = fact["hip"], fact["difference"]
    when = f" (CUDA {versions_text(fact)} form)" if fact["cuda_versions_same"] else ""
    count = re.search(r"arg count (\d+) vs (\d+)", text)
    if count:
        return f"{hip} takes {count[2]} argument(s), the CUDA function {count[1]}{when}: compare the two signatures."
    order = re.search(r"arg order differs at ([\d, ]+)", text)
    if order:
        return f"{hip} takes its arguments in another order (arguments {order[1]}){when}."
    default = re.search(r"CUDA last (\d+) arguments, HIP last (\d+)", text)
    if default:
        return (
            f"{hip} has no default value for its last {int(default[1]) - int(default[2])} "
            "argument(s): a call that leaves them out must name them."
        )
    parts = list(argument_changes(text))
    returned = re.search(r"return: (.+?) vs (.+)$", text)
    if returned:
        parts.append(f"it returns {returned[2]} instead of {returned[1]}")
    return f"{hip} differs{when}: {'; '.join(parts)}."


def argument_changes(text: str) -> Iterator[str]:
    """Describe each changed argument type of a signature difference."""
    for number, dropped, old, new in re.findall(r"arg (\d+)( loses const)?: (.+?) vs ([^;]+?)(?=; |$)", text):
        if dropped:
            yield f"argument {number} is {new}, without the const of CUDA's {old}"
        else:
            yield f"argument {number} is {new}, not {old}"


def versions_text(fact: Fact) -> str:
    """Return "12 and 13" for the CUDA versions in which a difference holds."""
    return " and ".join(fact["cuda_versions_differing"].split())


# --------------------------------------------------------------------------- building


def build(facts: Facts, decisions: dict[str, Any]) -> list[Table]:
    """Make all tables."""
    tables = {name: Table(name, settings) for name, settings in decisions["tables"].items()}
    owners = decided_owners(tables)
    for name, kind, table in named_symbols(facts, tables, decisions):
        if owners.get(name, table.name) != table.name:
            continue
        section = decided_section(table, name) or SECTION_OF_KIND[kind]
        if name in table.sections[section]:
            continue
        table.sections[section][name] = generated_row(name, table, facts, decisions)
        owners[name] = table.name
    for table in tables.values():
        apply_decisions(table)
        add_members(table, facts, decisions)
        finish(table, facts, decisions)
    return list(tables.values())


def decided_owners(tables: dict[str, Table]) -> dict[str, str]:
    """Return the table of every hand-decided symbol."""
    owners: dict[str, str] = {}
    for table in tables.values():
        for section in SECTIONS:
            for name in table.decisions.get(section) or {}:
                owners.setdefault(name, table.name)
        for rule in table.decisions.get("bulk") or ():
            for name in str(rule["names"]).split():
                owners.setdefault(name, table.name)
    return owners


def decided_section(table: Table, name: str) -> str | None:
    """Return the section in which the decisions put a symbol."""
    for rule in table.decisions.get("bulk") or ():
        if name in str(rule["names"]).split():
            return str(rule["section"])
    return next((s for s in SECTIONS if name in (table.decisions.get(s) or {})), None)


def named_symbols(
    facts: Facts, tables: dict[str, Table], decisions: dict[str, Any]
) -> Iterator[tuple[str, str, Table]]:
    """Yield name, kind and table of every symbol of the facts that is wanted."""
    for name in sorted({*facts.best, *facts.symbols}):
        symbol = facts.symbols.get(name)
        best = facts.best.get(name)
        kind = kind_of(symbol, best)
        if kind not in SECTION_OF_KIND:
            continue
        api = best["api"] if best else (symbol or {}).get("api", "")
        chosen = table_of(api, symbol["header"] if symbol else "", name, decisions)
        if chosen is None:
            continue
        table = tables[chosen]
        if kind == "header" or not is_junk(name, table, decisions):
            yield name, kind, table


def kind_of(symbol: Fact | None, best: Fact | None) -> str:
    """Return the kind of a symbol: the header's word, save for declarations misread there."""
    kind = symbol["kind"] if symbol else ""
    if best and (kind not in SECTION_OF_KIND or kind == "device_function"):
        return best["kind"]
    return kind


def apply_decisions(table: Table) -> None:
    """Lay every decided row of a table over what the facts gave."""
    for section in SECTIONS:
        for name, decided in (table.decisions.get(section) or {}).items():
            if decided is None:
                table.sections[section].pop(name, None)
                continue
            table.sections[section][name] = merge(table.sections[section].get(name, {}), decided)
    for rule in table.decisions.get("bulk") or ():
        for name in str(rule["names"]).split():
            decided = {key: value for key, value in rule.items() if key not in ("section", "names")}
            if not {"hip", "unsupported", "drop"} & decided.keys():
                decided["hip"] = name
            rows = table.sections[rule["section"]]
            rows[name] = merge(rows.get(name, {}), decided)


def add_members(table: Table, facts: Facts, decisions: dict[str, Any]) -> None:
    """Add the fields that HIP renames or lacks, of the structs in this table."""
    types = table.sections["types"]
    for fact in facts.fields:
        struct, name = fact["cuda_struct"], fact["field"]
        row = types.get(struct)
        if row is None or "hip" not in row or row["hip"] != fact["hip_struct"]:
            continue
        if matches(decisions["drop_fields"], name) or fact["hip_field"] == name:
            continue
        if fact["hip_field"]:
            table.members[struct][name] = {"hip": fact["hip_field"]}
        else:
            table.members[struct][name] = {
                "unsupported": True,
                "advice": decisions["advice_field"].format(field=name, hip=row["hip"]),
            }
    for struct, rows in (table.decisions.get("members") or {}).items():
        for name, decided in rows.items():
            if decided is None:
                table.members[struct].pop(name, None)
            else:
                old = table.members[struct].get(name, {})
                table.members[struct][name] = merge(old, decided)


def finish(table: Table, facts: Facts, decisions: dict[str, Any]) -> None:
    """Add the notes, the advice and the marks that hold for a whole table."""
    standard = set(str(decisions["standard"]).split())
    for rows in table.sections.values():
        for name, row in rows.items():
            if row.get("unsupported"):
                row.setdefault("advice", advice(name, table, facts, decisions))
                continue
            add_known_versions(row, decisions)
            note = note_rule(name, table)
            if not {"args", "insert", "order", "by_arity", "note"} & row.keys():
                note = note or note_of(name, row, facts)
            if note and name not in decisions["no_note"]:
                row.setdefault("note", note)
            if name in standard and table.decisions.get("has_standard_names"):
                row["standard"] = True


# --------------------------------------------------------------------------- writing


def scalar(text: str) -> str:
    """Write one YAML scalar."""
    dumped = yaml.safe_dump(text, width=sys.maxsize, allow_unicode=True)
    return dumped.removesuffix("\n").removesuffix("...").strip()


def flow(value: Any) -> str:
    """Write a value in YAML flow style on one line."""
    dumped = yaml.safe_dump(value, default_flow_style=True, width=sys.maxsize, sort_keys=False, allow_unicode=True)
    return dumped.removesuffix("\n").removesuffix("...").strip()


def row_text(row: Row) -> str:
    """Write a row: the plain rename in its short form."""
    if set(row) == {"hip"}:
        return scalar(row["hip"])
    ordered = {key: row[key] for key in FIELD_ORDER if key in row}
    return flow(ordered)


def rows_text(rows: dict[str, Row], indent: str) -> Iterator[str]:
    """Write rows sorted by name, one to a line."""
    for name in sorted(rows):
        yield f"{indent}{scalar(name)}: {row_text(rows[name])}\n"


def table_text(table: Table) -> str:
    """Write a whole table."""
    settings = table.decisions
    lines = [HEADER_COMMENT, f"library: {table.name}\n", f"title: {scalar(settings['title'])}\n"]
    if settings.get("prefixes"):
        lines.append(f"prefixes: {flow(settings['prefixes'])}\n")
    for section in SECTIONS:
        if table.sections.get(section):
            lines.append(f"\n{section}:\n")
            lines.extend(rows_text(table.sections[section], "  "))
    if any(table.members.values()):
        lines.append("\nmembers:\n")
        for struct in sorted(table.members):
            if table.members[struct]:
                lines.append(f"  {struct}:\n")
                lines.extend(rows_text(table.members[struct], "    "))
    if settings.get("families"):
        lines.append("\nfamilies:\n")
        lines.extend(f"  - {flow(rule)}\n" for rule in settings["families"])
    return "".join(lines)


def main() -> int:
    """Run the generator."""
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("facts", type=Path, help="directory of the CSV files")
    parser.add_argument("--decisions", type=Path, default=here / "decisions.yaml")
    parser.add_argument("--out", type=Path, default=here.parent / "mappings")
    parser.add_argument(
        "--tree", action="append", default=[], metavar="VERSION=INCLUDE", help="headers of a ROCm version"
    )
    arguments = parser.parse_args()
    decisions = yaml.safe_load(arguments.decisions.read_text(encoding="utf-8"))
    facts = read_facts(arguments.facts)
    for tree in arguments.tree:
        number, _, include = tree.partition("=")
        facts.trees[number] = read_tree(Path(include))
    for table in build(facts, decisions):
        path = arguments.out / f"{table.name}.yaml"
        path.write_text(table_text(table), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
