"""Translate a meson.build into a `Translation`.

Meson has no language for HIP. hipcc compiles the `.cu` sources to objects. A generator for that is set up where the
project turns CUDA on, and the targets link those objects.
"""

from __future__ import annotations

from collections.abc import Iterable

from hipify_py.build_systems.expressions import (
    ASSIGNMENT,
    CALL,
    KEYWORD,
    LIST,
    NAME,
    OPERATION,
    STATEMENT,
    STRING,
    Node,
    walk,
)
from hipify_py.build_systems.facts import table
from hipify_py.build_systems.meson.reader import read
from hipify_py.build_systems.option_lists import drop_elements, elements_of, translate_options, write_several
from hipify_py.build_systems.python.flows import name_of
from hipify_py.build_systems.python.rules import libraries, options, places, renames
from hipify_py.build_systems.python.rules.libraries import linked
from hipify_py.build_systems.python.script import Script
from hipify_py.build_systems.python.translate import Rule, translated
from hipify_py.core.edits import Edit, apply
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

# The language cuda: where a project turns it on, and what is declared for it alone.

_CUDA = "cuda"
_TURNING_ON = frozenset({"project", "add_languages"})
_OPTIONS = ("cuda_std=", "cuda_ccbindir=")


def languages(file: Script) -> None:
    """Set up hipcc where CUDA is turned on, and pass options for CUDA to it."""
    facts = table("meson")
    for node in file.nodes:
        if node.kind != CALL:
            continue
        if node.function in _TURNING_ON:
            _turned_on(file, node)
        elif node.function in facts["arguments"] and _is_cuda(node.keyword("language")):
            _arguments(file, node)
        elif node.called == "get_compiler" and node.arguments and _is_cuda(node.arguments[0]):
            file.left(
                "HIP605", node.arguments[0].inner[0], "get_compiler('cuda')", "function", "query the program hipcc"
            )
        elif node.called in facts["architectures"]:
            file.converted(node.start, node.called, "function")
            file.finding("HIP602", node.start, node.called)
            file.replace_whole(node.start, node.end, "''" if node.called.endswith("readable") else "[]")


def _is_cuda(node: Node | None) -> bool:
    """Whether a node is the language cuda and no other."""
    if node is not None and node.kind == LIST and len(node.children) == 1:
        node = node.children[0]
    return node is not None and node.kind == STRING and node.text == _CUDA


def _turned_on(file: Script, call: Node) -> None:
    named = call.arguments[1:] if call.function == "project" else call.arguments
    places = [(call, call.arguments)] + [(node, node.children) for node in named if node.kind == LIST]
    standard: list[str] = []
    options = call.keyword("default_options")
    for node in _strings_of(options.children or [options]) if options is not None else ():
        if node.text.startswith(_OPTIONS):
            file.converted(node.inner[0], node.text.partition("=")[0], "option")
            if node.text.startswith(_OPTIONS[0]) and not node.text.endswith("=none"):
                standard = [f"-std={node.text.partition('=')[2]}"]
    if options is not None and options.kind == LIST:
        gone = [index for index, node in enumerate(options.children) if node.text.startswith(_OPTIONS)]
        drop_elements(file, options, options.children, gone)
    for holder, children in places:
        gone = [index for index, node in enumerate(children) if node.kind == STRING and node.text == _CUDA]
        if holder is call and call.function == "project":
            gone = [index for index in gone if index]
        if not gone:
            continue
        file.converted(children[gone[0]].inner[0], _CUDA, "language")
        statement = _statement(call)
        is_only = all(node.text == _CUDA for node in _strings_of(call.arguments))
        is_whole = statement.kind == STATEMENT and statement.children == [call]
        if call.function == "add_languages" and is_only and is_whole:
            file.write_instead(statement.start, statement.end, _set_up(standard))
            return
        indent = "" if statement.kind == STATEMENT else "  "
        file.insert_behind(statement.start, statement.end, [indent + line for line in _set_up(standard)])
        if is_only:
            file.replace_whole(call.start, call.end, "find_program('hipcc', required: false).found()")
        else:
            drop_elements(file, holder, children, gone)
        return


def _strings_of(nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if node.kind == STRING]


def _statement(node: Node) -> Node:
    """The statement that contains an expression."""
    while node.parent is not None and node.parent.parent is not None:
        node = node.parent
    return node


def _set_up(options: list[str]) -> list[str]:
    given = ", ".join(f"'{option}'" for option in options)
    return [
        "# Meson has no language for HIP: hipcc makes objects of the .cu sources, with the options of hip_args.",
        "hipcc = find_program('hipcc')",
        f"hip_args = [{given}]",
        "hip_objects = generator(",
        "  hipcc,",
        "  output: '@PLAINNAME@.o',",
        "  arguments: ['-fPIC', '-I@CURRENT_SOURCE_DIR@', '@EXTRA_ARGS@', '-c', '@INPUT@', '-o', '@OUTPUT@'],",
        ")",
        "hip_dep = dependency('hip', method: 'cmake', modules: ['hip::host'])",
    ]


def _arguments(file: Script, call: Node) -> None:
    """Write `hip_args += ['-G']` in place of `add_project_arguments('-G', language: 'cuda')`."""
    file.converted(call.start, call.function, "function")
    if "link" in call.function or _statement(call).children != [call]:
        file.finding("HIP605", call.start, call.function, "set it for the language cpp, which links")
        return
    given = [node for node in call.arguments if node.kind != KEYWORD]
    elements = elements_of(given)
    several: dict[int, list[str]] = {}
    gone = set(translate_options(file, elements, for_cuda=True, write=several.__setitem__))
    for index, texts in several.items():
        write_several(file, elements[index], texts)
    given = [node for index, node in enumerate(given) if index not in gone]
    texts = [text for node in given if (text := edited(file, node.start, node.end)).strip()]
    file.replace_whole(call.start, call.end, f"hip_args += [{', '.join(texts)}]")


def edited(file: Script, start: int, end: int) -> str:
    """The text of a range after the edits of the rules so far."""
    edits = [edit for edit in file.finish() if start <= edit.start and edit.end <= end]
    shifted = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    return apply(file.source.data[start:end], shifted).decode("utf-8", "surrogateescape")


# Targets with `.cu` sources: hipcc compiles those to objects, which the target links.

_ENDING = ".cu"
_OF_CUDA = ("cuda_args", "link_language")


def targets(file: Script) -> None:
    """Translate targets, the lists that their sources come from, and the folders of headers."""
    holders = _holders(file)
    made = table("meson")["targets"]
    for name, values in holders.items():
        for value in values:
            _process(file, _sources(value), "hip_args")
            file.converted(value.start, name, "list")
    has_targets = False
    for node in file.nodes:
        if node.kind == CALL and node.called in made and node.arguments:
            has_targets = _target(file, node, holders) or has_targets
    if has_targets or holders or any(node.text == "cuda" and node.kind == STRING for node in file.nodes):
        for node in file.nodes:
            if node.kind == CALL and node.function == "include_directories":
                _include(file, node, made)


def _holders(file: Script) -> dict[str, list[Node]]:
    """By name, the assigned values that have `.cu` sources in them."""
    found: dict[str, list[Node]] = {}
    for node in file.nodes:
        if node.kind == ASSIGNMENT and len(node.children) == 2 and _sources(node.children[1]):
            found.setdefault(name_of(node.children[0]), []).append(node.children[1])
    return found


def _sources(value: Node) -> list[Node]:
    """The `.cu` sources of a list, of `files(…)`, and of sums of those."""
    if value.kind == OPERATION and value.text in {"+", "?"}:
        return [source for child in value.children for source in _sources(child)]
    if value.kind == LIST:
        return [source for child in value.children for source in ([child] if _is_cu(child) else _sources(child))]
    if value.kind == CALL and value.function == "files":
        return [child for child in value.arguments if _is_cu(child)]
    return []


def _is_cu(node: Node) -> bool:
    return node.kind == STRING and node.text.endswith(_ENDING)


def _process(file: Script, sources: list[Node], options: str) -> None:
    """Compile sources to objects with hipcc."""
    by_files: dict[Node, list[Node]] = {}
    for source in sources:
        name = edited(file, source.start, source.end)
        file.converted(source.inner[0], source.text, "source")
        if source.parent is not None and source.parent.kind == CALL and source.parent.function == "files":
            by_files.setdefault(source.parent, []).append(source)
        else:
            file.replace_whole(source.start, source.end, f"hip_objects.process({name}, extra_args: {options})")
    for call, inner in by_files.items():
        names = ", ".join(edited(file, source.start, source.end) for source in inner)
        others = [edited(file, node.start, node.end) for node in call.arguments if node not in inner]
        text = f"hip_objects.process(files({names}), extra_args: {options})"
        if others:
            text = f"[files({', '.join(others)}), {text}]"
        file.replace_whole(call.start, call.end, text)


def _target(file: Script, call: Node, holders: dict[str, list[Node]]) -> bool:
    """Translate a target; False for one that has nothing to do with CUDA."""
    given = [*call.arguments[1:]]
    sources = [node for node in given if _is_cu(node)]
    for node in given:
        value = node.value if node.kind == KEYWORD and node.text == "sources" else node
        if value is not None and (value is not node or node.kind != KEYWORD):
            sources += [value] if _is_cu(value) and value is not node else _sources(value)
    arguments = call.keyword("cuda_args")
    names = [below.text for node in given for below in walk(node) if below.kind == NAME]
    if not sources and arguments is None and not any(name in holders for name in names):
        return False
    options = "hip_args"
    if arguments is not None:
        text = edited(file, arguments.start, arguments.end)
        options += f" + [{text}]" if arguments.kind == STRING else f" + {text}"
    _process(file, sources, options)
    gone = [index for index, node in enumerate(call.arguments) if node.kind == KEYWORD and node.text in _OF_CUDA]
    for index in gone:
        file.converted(call.arguments[index].start, call.arguments[index].text, "option")
    if gone:
        if arguments is not None and not sources:
            detail = "pass these options to hip_objects.process, where the .cu sources are"
            file.finding("HIP605", arguments.start, "cuda_args", detail)
        _without(file, call, gone)
    _link(file, call)
    return True


def _without(file: Script, call: Node, gone: list[int]) -> None:
    """Take arguments out, each with the comma before it."""
    data = file.source.data
    for index in gone:
        before, node = call.arguments[index - 1], call.arguments[index]
        comma = data.find(b",", before.end, node.start)
        is_plain = comma >= 0 and b"#" not in data[before.end : node.start]
        file.replace_whole(comma if is_plain else node.start, node.end, "" if is_plain else "kwargs: {}")


def _link(file: Script, call: Node) -> None:
    """Link HIP's runtime."""
    value = call.keyword("dependencies")
    if value is None:
        last = [node for node in call.arguments if not (node.kind == KEYWORD and node.text in _OF_CUDA)][-1]
        file.replace(last.end, last.end, ", dependencies: hip_dep")
    elif value.kind == LIST and value.children:
        file.replace(value.children[0].start, value.children[0].start, "hip_dep, ")
    elif value.kind == LIST:
        file.replace_whole(value.start, value.end, "[hip_dep]")
    else:
        file.replace(value.start, value.start, "[hip_dep, ")
        file.replace(value.end, value.end, "]")


def _include(file: Script, call: Node, made: list[str]) -> None:
    """Pass a folder of headers that targets get to hipcc."""
    folders = [node for node in call.arguments if node.kind == STRING and not node.text.startswith("/")]
    if not folders:
        return
    statement = call
    is_of_target = False
    while statement.parent is not None and statement.parent.parent is not None:
        statement = statement.parent
        is_of_target = is_of_target or (statement.kind == CALL and statement.called in made)
    given = ", ".join(f"'-I' + meson.current_source_dir() / '{node.text}'" for node in folders)
    line = f"hip_args += [{given}]"
    if is_of_target:
        file.insert_before(statement.start, [line])
    else:
        file.insert_behind(statement.start, statement.end, [line])


LIBRARY = "meson"
_RUNTIME = "hip::host"


def _programs(file: Script) -> None:
    """Translate `find_program('nvcc')`, `find_library('cudart')` and `dependency('cuda')`."""
    for node in file.nodes:
        if node.kind != CALL or not node.arguments or node.arguments[0].kind != STRING:
            continue
        name = node.arguments[0]
        if node.called == "find_library":
            linked(file, *name.inner, name.text)
        elif node.function == "dependency" and name.text == "cuda":
            _dependency(file, node)
        elif node.function == "import" and name.text in table("meson")["cuda_modules"]:
            detail = "Meson's CUDA module computes nvcc's options: name AMD's GPUs with --offload-arch in hip_args"
            file.left("HIP601", name.inner[0], name.text, "module", detail)


def _dependency(file: Script, call: Node) -> None:
    """Find HIP's packages, one for each library."""
    name, modules = call.arguments[0], call.keyword("modules")
    given = [] if modules is None else [child for child in (modules.children or [modules]) if child.kind == STRING]
    if modules is not None and (len(given) != max(1, len(modules.children)) or modules.kind not in {"list", STRING}):
        file.left("HIP605", name.inner[0], "dependency('cuda')", "package", "its modules are not literals")
        return
    required = next((child for child in call.arguments if child.kind == KEYWORD and child.text == "required"), None)
    more = "" if required is None else ", " + file.source.data[required.start : required.end].decode("utf-8", "replace")
    found = [f"dependency('hip', method: 'cmake', modules: ['{_RUNTIME}']{more})"]
    for module in given:
        library = file.facts.libraries.get(module.text)
        if library is None or library.unsupported:
            detail = "no ROCm target is known for it" if library is None else library.unsupported
            file.left("HIP613", module.inner[0], module.text, "library", detail)
            continue
        file.converted(module.inner[0], module.text, "library")
        if library.package == "hip" or library.drop:
            continue
        if library.package:
            found.append(f"dependency('{library.package}', method: 'cmake', modules: ['{library.target}']{more})")
        else:
            found.append(f"meson.get_compiler('cpp').find_library('{library.library}'{more})")
    version = call.keyword("version")
    if version is not None:
        file.finding("HIP609", version.start, "version of dependency('cuda')", file.cuda)
    file.converted(name.inner[0], "cuda", "package")
    text = found[0] if len(found) == 1 else f"declare_dependency(dependencies: [{', '.join(dict.fromkeys(found))}])"
    file.replace_whole(call.start, call.end, text)


_RULES: tuple[Rule, ...] = (
    options.apply,
    libraries.apply,
    places.apply,
    renames.apply,
    _programs,
    languages,
    targets,
)


def translate(data: bytes, path: str, choices: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Translate a meson.build."""
    return translated(Source(data, path), LIBRARY, read(data), choices, project, _RULES)
