"""A meson.build in, a `Translation` out.

Meson has no language for HIP. hipcc makes objects of the `.cu` sources, by a generator that is set up where the project
turns CUDA on, and the targets link those.
"""

from __future__ import annotations

from hipify_py.build_systems.expressions import CALL, KEYWORD, STRING, Node
from hipify_py.build_systems.facts import table
from hipify_py.build_systems.meson.languages import languages
from hipify_py.build_systems.meson.reader import read
from hipify_py.build_systems.meson.targets import targets
from hipify_py.build_systems.python.rules import libraries, options, places, renames
from hipify_py.build_systems.python.rules.libraries import linked
from hipify_py.build_systems.python.script import Script
from hipify_py.build_systems.python.translate import Rule, translated
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

LIBRARY = "meson"
_RUNTIME = "hip::host"


def _programs(file: Script) -> None:
    """`find_program('nvcc')`, `find_library('cudart')` and `dependency('cuda')`."""
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
            file.left("HIP601", module.inner[0], module.text, "library", detail)
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
