"""The options and the configuration of a quick check, as far as they are plain; all else is for the full command line.

What a key takes is said once, in `config_keys`. Nothing is reported here: where a value is wrong, or means more than it
says, there are no settings, and the full command line reads all of it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hipify_py.core.options import DEFAULT_OPTIONS, Options, default_semantics
from hipify_py.core.targeting import Targeting
from hipify_py.project.find_config import Found

_WORDS = frozenset({"cuda", "rocm", "target", "launch", "support-place", "fail-on"})
_SWITCHES = frozenset({"experimental", "ci-files", "no-support"})
_IDS = frozenset({"select", "extend-select", "ignore", "extend-ignore"})
_UNUSED = frozenset({"annotate", "dual", "no-build-files", "fail-under", "max-effort"})
"""Keys of the configuration that have no effect on the check of a source."""
_IN_CONFIGURATION = _WORDS | _SWITCHES | _IDS | _UNUSED | {"severity"}
_FLAGS = _SWITCHES | {"quiet", "no-cache", "exit-zero"}
_VALUES = _WORDS | _IDS | {"format", "color"}
_COLORS = ("auto", "always", "never")


class Settings(NamedTuple):
    """What a quick check does.

    Attributes:
        paths: the files, as given.
        config: the configuration's file; empty where there is none.
        options: the options of the translation.
        why_rocm: why it is for this ROCm; empty where the user chose it.
        fail_on: from which severity on findings make the exit status 1.
        format: the format of standard output; None for the usual one.
        color: when standard output has colours.
        quiet: print no more than the findings.
        exit_zero: findings leave the exit status 0.
    """

    paths: tuple[str, ...]
    config: str
    options: Options
    why_rocm: str
    fail_on: str
    format: str | None
    color: str
    quiet: bool
    exit_zero: bool


class CommandLine(NamedTuple):
    """The arguments of a command: paths, and the options by their long names, each with all its values."""

    paths: tuple[str, ...]
    given: Mapping[str, list[str]]


def split(arguments: Sequence[str]) -> CommandLine | None:
    """Split the arguments of a check; None for options that are not plain."""
    paths: list[str] = []
    given: dict[str, list[str]] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            paths += rest
        elif not argument.startswith("-"):
            paths.append(argument)
        else:
            name, equals, value = argument.partition("=")
            name = {"-q": "quiet"}.get(name) or name.removeprefix("--")
            if name in _FLAGS:
                if equals:
                    return None
            elif name not in _VALUES or argument.startswith("---"):
                return None
            elif not equals:
                value = next(rest, "-")
                if value.startswith("-"):
                    return None
            given.setdefault(name, []).append(value)
    return CommandLine(tuple(paths), given)


def settings_of(line: CommandLine, found: Found) -> Settings | None:
    """The settings by a command line and the configuration that was found; None if they are not plain.

    Raises:
        ValueError: for some of the wrong values.
    """
    given = line.given
    config: Mapping[str, Any] = {}
    if found.path is not None:
        from hipify_py.project.config import read_config

        config = read_config(found.path).values
    if found.foreign or not _IN_CONFIGURATION.issuperset(config):
        return None
    words: dict[str, Any] = {key: value for key, value in config.items() if key in _WORDS | _SWITCHES}
    for key, values in given.items():
        if key in _WORDS:
            words[key] = values[-1]
        elif key in _SWITCHES:
            words[key] = True
    if words and not _are_known(words):
        return None
    format = given["format"][-1] if "format" in given else None
    color = given["color"][-1] if "color" in given else _COLORS[0]
    if color not in _COLORS or not (format is None or _is_plain_format(format)):
        return None
    options, why_rocm = _options(words, given, config)
    return Settings(
        line.paths,
        found.path or "",
        options,
        why_rocm,
        words.get("fail-on", "error"),
        format,
        color,
        "quiet" in given,
        "exit-zero" in given,
    )


def _are_known(words: Mapping[str, Any]) -> bool:
    from hipify_py.project.config_keys import KEYS

    return all(KEYS[key].kind.is_met(value) for key, value in words.items())


def _is_plain_format(name: str) -> bool:
    """Whether there is this format, and it shows no changes."""
    from hipify_py.report.formats import load, names

    return name in names() and not load(name).shows_changes


def _options(
    words: Mapping[str, Any], given: Mapping[str, Sequence[str]], config: Mapping[str, Any]
) -> tuple[Options, str]:
    """The options of the translation, and why they are for their ROCm."""
    from hipify_py.catalog.installed import NEWEST_WORD, default_rocm, parse_cuda_version, parse_rocm_version

    why = ""
    if words.get("rocm"):
        rocm = parse_rocm_version(words["rocm"])
    else:
        rocm, why, _ = default_rocm()
    cuda = parse_cuda_version(words.get("cuda") or NEWEST_WORD)
    targeting = Targeting(cuda, rocm, words.get("target", DEFAULT_OPTIONS.targeting.target))
    options = DEFAULT_OPTIONS._replace(
        launch=words.get("launch", DEFAULT_OPTIONS.launch),
        experimental=words.get("experimental", False),
        ci_files=words.get("ci-files", False),
        support=not words.get("no-support", False),
        support_place=words.get("support-place", DEFAULT_OPTIONS.support_place),
        targeting=targeting,
        semantics=default_semantics(),
    )
    if (_IDS | {"severity"}).isdisjoint((*given, *config)):
        return options, why
    from hipify_py.catalog import load_catalog
    from hipify_py.findings.selection import expanded, severities_of

    known = [entry.id for entry in load_catalog(targeting).diagnostics()]

    def ids(given_by: Iterable[str], set_by: Iterable[str]) -> frozenset[str]:
        texts = [text for key in given_by for text in given.get(key, ())]
        set_words = [word for key in set_by for word in config.get(key, ())]
        return expanded([*(word for text in texts for word in text.split(",")), *set_words], known)

    unselected = frozenset[str]()
    if "select" in given or "select" in config:
        selected = ids(["select"], []) if "select" in given else ids([], ["select"])
        unselected = frozenset(known) - selected - ids(["extend-select"], ["extend-select"])
    return (
        options._replace(
            ignore=ids(["ignore", "extend-ignore"], ["ignore", "extend-ignore"]),
            unselected=unselected,
            severities=severities_of(config.get("severity", {}), known),
        ),
        why,
    )
