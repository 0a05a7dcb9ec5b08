"""Which branch of a condition on CUDA's version or architecture AMD GPUs take, and as what the macros then count.

CUDA's numbers mean nothing on AMD GPUs. What they ask for is a feature, and the code in the branches shows which one:
the newest numbers hold for which all the code that may be compiled is code that HIP can do.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from hipify_py.catalog.targeting import NEWEST_CUDA, version
from hipify_py.frontend.conditions import Branch, Expression, Macro, Section, condition, sections
from hipify_py.ranges import Ranges
from hipify_py.rules.preprocessor.content import HINT, LACKED, NOTHING, STOP, Content, Sign
from hipify_py.unit import Unit

ARCHITECTURE = b"__CUDA_ARCH__"
MODERN = 900
"""What `__CUDA_ARCH__` counts as where the code of all branches would do."""
CAUTIOUS = 700
"""What it counts as where nothing shows what the branches are about: seldom PTX, and most built-in functions."""
_ARCHITECTURES = (MODERN, 890, 860, 800, 750, 720, 700, 620, 610, 600, 530, 520, 500, 350, 320, 300, 200)
_CUDAS: tuple[tuple[int, int] | None, ...] = (None, (12, 8), (12, 0), (11, 8), (11, 0), (10, 2), (9, 2), (8, 0))
_CCCLS = ((2, 8), (2, 0), (1, 17))  # hipCUB follows CUB 2, and has nothing of cuda::std
_CUDNNS = ((9, 0), (8, 9), (7, 6))
_MOST_BRANCHES = 64  # of one section
_HIP_VERSION = 70000000
_GENERATIONS = {
    b"BLACKWELL": 1000, b"HOPPER": 900, b"ADA": 890, b"AMPERE": 800, b"TURING": 750, b"VOLTA": 700, b"DP4A": 610,
    b"PASCAL": 600, b"MAXWELL": 500, b"KEPLER": 300,
}  # fmt: skip
_GENERATION = re.compile(rb"(?:^|_)(" + b"|".join(_GENERATIONS) + rb")(?:$|_)", re.IGNORECASE)
_INTEGER = re.compile(rb"\s*\(?\s*(\d{1,9})\s*\)?\s*(?://.*|/\*.*)?\Z", re.DOTALL)
_CUDA_NUMBERS = {  # what a version of CUDA makes of them: so much for the major number, so much for the minor one
    b"CUDART_VERSION": (1000, 10),
    b"CUDA_VERSION": (1000, 10),
    b"__CUDART_API_VERSION": (1000, 10),
    b"__CUDACC_VER__": (10000, 100),
    b"__CUDACC_VER_MAJOR__": (1, 0),
    b"__CUDACC_VER_MINOR__": (0, 1),
    b"CUBLAS_VERSION": (10000, 100),
    b"CUBLAS_VER_MAJOR": (1, 0),
    b"CUBLAS_VER_MINOR": (0, 1),
    b"CUSPARSE_VERSION": (1000, 100),
    b"CUSPARSE_VER_MAJOR": (1, 0),
    b"CUSPARSE_VER_MINOR": (0, 1),
    b"CUSOLVER_VERSION": (1000, 100),
    b"CUSOLVER_VER_MAJOR": (1, 0),
    b"CUSOLVER_VER_MINOR": (0, 1),
}
_CUDNN_NUMBERS = {b"CUDNN_MAJOR": (1, 0), b"CUDNN_MINOR": (0, 1)}
_CCCL_NUMBERS = {
    b"CUB_VERSION": (100000, 100),
    b"CUB_MAJOR_VERSION": (1, 0),
    b"CUB_MINOR_VERSION": (0, 1),
    b"CCCL_VERSION": (1000000, 1000),
    b"CCCL_MAJOR_VERSION": (1, 0),
    b"CCCL_MINOR_VERSION": (0, 1),
}
VERSIONS = frozenset((*_CUDA_NUMBERS, *_CUDNN_NUMBERS, *_CCCL_NUMBERS, b"CUDNN_VERSION"))
"""Macros that count as some version of CUDA, cuDNN or CUB."""
NUMBERS = VERSIONS | {ARCHITECTURE}
_OF_DEVICE = frozenset((b"__HIP_DEVICE_COMPILE__", b"__AMDGCN__", ARCHITECTURE))  # defined in the device's pass alone
_OF_CUDA = frozenset((b"__CUDACC__", b"__NVCC__", b"__CUDA__", ARCHITECTURE))  # CUDA's names for the compiler
_DEFINED_BY_HIP = (_OF_DEVICE | _OF_CUDA).union(
    (b"__HIP__", b"__HIPCC__", b"__HIP_PLATFORM_AMD__", b"__HIP_PLATFORM_HCC__", b"__clang__", b"HIP_VERSION")
)
_OWN = re.compile(rb"__HIP\w*|HIP_VERSION")
_BUILDS_FOR_HIP = re.compile(rb"(?:\w+_)?(?:USE|ENABLE|WITH|HAVE)_(?:HIP|ROCM)")
_THRUST = {b"THRUST_MAJOR_VERSION": 2, b"THRUST_MINOR_VERSION": 8}  # rocThrust has macros of its own by these names
_HAS_INCLUDE = re.compile(rb"__has_include\s*\(\s*[<\"]([^<>\"\n]{1,200})[>\"]\s*\)")
_MOST_ROUNDS = 4
_EQUAL = re.compile(ARCHITECTURE + rb"\s*==")
_NOT_DEFINED = frozenset((b"_MSC_VER", b"_WIN32", b"_WIN64", b"__HIP_PLATFORM_NVIDIA__", b"__HIP_PLATFORM_NVCC__"))


_Outcome = tuple[bool | None, ...]


class Setting(NamedTuple):
    """What the macros count as; `cuda` None for a version above all of CUDA's, as HIP's own number is."""

    architecture: int
    cuda: tuple[int, int] | None
    cudnn: tuple[int, int]
    cccl: tuple[int, int]

    def value(self, name: bytes) -> int | None:
        """What one of `NUMBERS` comes to."""
        if name == ARCHITECTURE:
            return self.architecture
        if name == b"CUDNN_VERSION":
            major, minor = self.cudnn
            return major * 10000 if major >= 9 else major * 1000 + minor * 100
        if name in _CUDNN_NUMBERS:
            return _of(self.cudnn, _CUDNN_NUMBERS[name])
        if name in _CCCL_NUMBERS:
            return _of(self.cccl, _CCCL_NUMBERS[name])
        factors = _CUDA_NUMBERS.get(name)
        if factors is None:
            return None
        if self.cuda is None and factors == (1000, 10):
            return _HIP_VERSION
        return _of(self.cuda or version(NEWEST_CUDA), factors)


PLAIN = Setting(MODERN, None, _CUDNNS[0], _CCCLS[0])
"""What they count as where nothing has to be decided."""


class Choice(NamedTuple):
    """How a section was decided.

    Attributes:
        setting: what the macros count as.
        avoided: what stands in the branch for newer numbers, which is why it is not taken; else None.
        taken: the line of the branch that is taken, or 0 where none or more than one may be.
        is_empty: no branch is taken that holds code.
        is_complete: what is taken does its work, and all of it is code that HIP can do.
        is_own: where the project's own build is for HIP, its condition leaves the numbers nothing to decide.
    """

    setting: Setting
    avoided: Sign | None
    taken: int
    is_empty: bool
    is_complete: bool
    is_own: bool

    @property
    def loses(self) -> bool:
        """AMD GPUs may do less for it than NVIDIA's."""
        if self.avoided is None or self.avoided.weight in (LACKED, HINT, STOP):
            return False
        return not (self.is_complete or self.is_own)


def choice_at(unit: Unit, offset: int) -> Choice | None:
    """The decision on the condition that holds a byte; None where there was nothing to decide."""
    return _chooser(unit).at(offset)


def has_own_branch(unit: Unit, offset: int) -> bool:
    """The condition that holds a byte asks for CUDA, and a later branch of its section for HIP: that one is HIP's."""
    return _chooser(unit).is_beside_own(offset)


def left_out(unit: Unit, *, is_hip_build: bool = False, for_device: bool = False) -> list[tuple[int, int]]:
    """The ranges that are compiled for AMD GPUs neither in the host's nor in the device's pass, in their order.

    With `for_device`, those that are not compiled in the device's pass, whatever the host does with them.
    With `is_hip_build`, the macros count as defined by which a project's own build says that it is for HIP
    (`USE_ROCM`, `GGML_USE_HIP`).
    """
    return _chooser(unit).left_out(is_hip_build, for_device)


def defined(unit: Unit) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """The macros whose definitions in a source are all left out for AMD GPUs, and the others that it defines."""
    every = frozenset(define.text for define in unit.lexemes.defines)
    chooser = _chooser(unit)
    lost, _ = chooser.flags_without(chooser.left_out(is_hip_build=False))
    return lost, every - lost


def hangs_on(unit: Unit, offset: int) -> frozenset[bytes]:
    """The macros of which nothing is known without which the code at an offset is left out."""
    return _chooser(unit).hangs_on(offset)


def provided(unit: Unit) -> set[str]:
    """Functions that HIP lacks and that a branch of the source defines which AMD GPUs take."""
    chooser = _chooser(unit)
    content = chooser.content or Content(unit, [])
    branches = [branch for section, _ in chooser.read + chooser.others for branch in section]
    gone = Ranges(chooser.left_out(is_hip_build=False))
    names = {content.provides(branch.body, branch.end) for branch in branches if branch.body not in gone}
    return names - {""}


def _taken(section: Section, outcome: _Outcome) -> list[Branch]:
    """The branches that may be compiled."""
    found = []
    for branch, holds in zip(section, outcome, strict=True):
        if holds is not False:
            found.append(branch)
        if holds:
            break
    return found


def _of(numbers: tuple[int, int], factors: tuple[int, int]) -> int:
    return numbers[0] * factors[0] + numbers[1] * factors[1]


class _Chooser:
    """Decides the sections of one unit."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.data = unit.source.data
        self.constants = self._constants()
        self.is_hip_build = False
        self.passes: tuple[bool, ...] = (True, False)
        """Whether it is the device's pass, for those that count."""
        self.absent: frozenset[bytes] = frozenset()
        """Macros of this source whose definitions are all left out."""
        self.zeros: frozenset[bytes] = frozenset()
        """Those that are left with a definition as 0."""
        self.read: list[tuple[Section, list[Expression]]] = []
        self.others: list[tuple[Section, list[Expression]]] = []
        every = sections(unit.lexemes)
        self.own: set[int] = set()
        for section in every:
            if len(section) > _MOST_BRANCHES:
                continue
            expressions = [Expression(self._condition(branch)) for branch in section]
            self.own.update(_beside_own(section, expressions))
            decides = any(expression.names & NUMBERS for expression in expressions)
            (self.read if decides else self.others).append((section, expressions))
        self.content = Content(unit, every) if self.read else None
        self.innermost = self._innermost()
        self.outcomes: dict[tuple[bytes, ...], dict[_Outcome, Setting]] = {}
        self.decided = self._decided()
        self.places = sorted(
            (branch.start, branch.body, choice) for section, _, choice in self.decided for branch in section
        )
        self.starts = sorted(branch.start for section in every for branch in section)
        self.bounds = sorted({place for section in every for branch in section for place in (branch.body, branch.end)})
        self.hanging: dict[int, frozenset[bytes]] = {}

    def _constants(self) -> dict[bytes, int | None]:
        """The macros that this source defines as one number; None for those with several definitions."""
        found: dict[bytes, int | None] = {}
        for define in self.unit.lexemes.defines:
            match = _INTEGER.match(self.data[define.end : min(self.unit.lexemes.body_end(define), define.end + 200)])
            found[define.text] = int(match[1]) if match and define.text not in found else None
        return found

    def _decided(self) -> list[tuple[Section, list[Expression], Choice]]:
        """The sections that hang on numbers. Where a branch is left out, those that call its functions follow."""
        decided = [(section, read, self._choice(section, read)) for section, read in self.read]
        lost = [branch for section, _, choice in decided for branch in section if self._is_lost(branch, choice)]
        if lost and self.content is not None and self.content.lose(lost):
            self.innermost = self._innermost()
            decided = [(section, read, self._choice(section, read)) for section, read in self.read]
        return decided

    def at(self, offset: int) -> Choice | None:
        """The decision on the condition that holds a byte."""
        at = bisect_right(self.places, offset, key=lambda entry: entry[0]) - 1
        return self.places[at][2] if at >= 0 and offset < self.places[at][1] else None

    def is_beside_own(self, offset: int) -> bool:
        """The condition that holds a byte is CUDA's, beside one of HIP's own."""
        at = bisect_right(self.starts, offset) - 1
        return at >= 0 and self.starts[at] in self.own and offset < self.unit.lexemes.logical_line_end(self.starts[at])

    def left_out(self, is_hip_build: bool, for_device: bool = False) -> list[tuple[int, int]]:
        """The branches that are compiled in neither pass; a macro that only they define takes others along."""
        self.is_hip_build = is_hip_build
        self.passes = (True,) if for_device else (True, False)
        self.absent = self.zeros = frozenset()
        try:
            ranges = self._left_out()
            for _ in range(_MOST_ROUNDS):
                absent, zeros = self.flags_without(ranges)
                if (absent, zeros) == (self.absent, self.zeros):
                    break
                self.absent, self.zeros = absent, zeros
                ranges = self._left_out()
            return ranges
        finally:
            self.is_hip_build = False
            self.passes = (True, False)
            self.absent = self.zeros = frozenset()

    def flags_without(self, ranges: list[tuple[int, int]]) -> tuple[frozenset[bytes], frozenset[bytes]]:
        """The macros that have no definition but in these ranges, and those that are 0 without them."""
        gone = Ranges(ranges)
        lost, kept, others = set[bytes](), set[bytes](), set[bytes]()
        for define in self.unit.lexemes.defines:
            if define.start in gone:
                lost.add(define.text)
            else:
                body = self.data[define.end : min(self.unit.lexemes.body_end(define), define.end + 200)]
                number = _INTEGER.match(body)
                (kept if number and int(number[1]) == 0 else others).add(define.text)
        return frozenset(lost - kept - others), frozenset((lost & kept) - others)

    def _left_out(self) -> list[tuple[int, int]]:
        found = []
        for section, read, setting in self._settled():
            taken = self._in_any_pass(section, read, setting)
            last = max((section.index(branch) for branch in taken), default=len(section))
            for at, branch in enumerate(section):
                if branch not in taken:  # a condition behind the branch that is taken is not even asked
                    found.append((branch.start if at > last and branch.word == b"elif" else branch.body, branch.end))
        return sorted(found)

    def _settled(self) -> list[tuple[Section, list[Expression], Setting]]:
        """All sections, each with what its macros count as."""
        every = [(section, read, choice.setting) for section, read, choice in self.decided]
        return every + [(section, read, PLAIN) for section, read in self.others]

    def _in_any_pass(self, section: Section, read: list[Expression], setting: Setting) -> set[Branch]:
        """The branches that may be compiled for the host or for the device."""
        taken: set[Branch] = set()
        for is_device in self.passes:
            taken.update(_taken(section, self._outcome(section, read, setting, is_device=is_device)))
        return taken

    def hangs_on(self, offset: int) -> frozenset[bytes]:
        """The macros of which nothing is known without which the code at an offset is left out."""
        place = bisect_right(self.bounds, offset)
        known = self.hanging.get(place)
        if known is None:
            known = self.hanging[place] = frozenset(
                name
                for section, read, setting in self._settled()
                for branch in section
                if branch.body <= offset < branch.end
                for name in frozenset().union(*(expression.names for expression in read)) - NUMBERS - {b"defined"}
                if self._defined(name) is None and self._falls_with(name, branch, (section, read, setting))
            )
        return known

    def _falls_with(self, name: bytes, branch: Branch, settled: tuple[Section, list[Expression], Setting]) -> bool:
        """A branch that may be compiled is left out where a macro is not defined."""
        if name in self.constants or branch not in self._in_any_pass(*settled):
            return False
        self.absent = frozenset((name,))
        try:
            return branch not in self._in_any_pass(*settled)
        finally:
            self.absent = frozenset()

    def _outcome(
        self, section: Section, expressions: list[Expression], setting: Setting, *, is_device: bool = True
    ) -> _Outcome:
        """What the conditions of a section come to in a pass."""
        found = []
        for branch, expression in zip(section, expressions, strict=True):
            value = expression.value(*self._macros(setting, is_device, branch.start in self.own))
            found.append(None if value is None else value != 0)
        return tuple(found)

    @staticmethod
    def _is_lost(branch: Branch, choice: Choice) -> bool:
        return choice.avoided is not None and branch.body <= choice.avoided.offset < branch.end

    def _choice(self, section: Section, expressions: list[Expression]) -> Choice:
        names = frozenset().union(*(expression.names for expression in expressions))
        outcomes = self._outcomes(section, expressions, names)
        newest, first = next(iter(outcomes.items()))
        if len(outcomes) == 1 and None in newest and ARCHITECTURE in names and self._is_open(names):
            is_one_gpu = any(_EQUAL.search(expression.text) for expression in expressions)
            setting = first if is_one_gpu else first._replace(architecture=CAUTIOUS)
            return Choice(setting, None, 0, is_empty=False, is_complete=False, is_own=False)
        weighed = [(*self._weigh(section, outcome, outcome == newest), outcome) for outcome in outcomes]
        best = min(weighed, key=lambda entry: entry[0])
        taken = _taken(section, best[2])
        line = self.unit.source.position(taken[0].start)[0] if len(taken) == 1 else 0
        avoided = weighed[0][1] if best is not weighed[0] else None
        return Choice(
            outcomes[best[2]],
            avoided,
            line,
            is_empty=not any(self._holds_code(branch) for branch in taken),
            is_complete=best[0] == 0 and bool(taken) and all(self._does_work(branch) for branch in taken),
            is_own=avoided is not None and self._is_own(section, expressions, names),
        )

    def _is_own(self, section: Section, expressions: list[Expression], names: frozenset[bytes]) -> bool:
        """The project's own build for HIP decides the section, whatever the numbers are."""
        if not any(_BUILDS_FOR_HIP.fullmatch(name) for name in names):
            return False
        self.is_hip_build = True
        try:
            return len({self._outcome(section, expressions, setting) for setting in self._settings(names)}) == 1
        finally:
            self.is_hip_build = False

    def _outcomes(
        self, section: Section, expressions: list[Expression], names: frozenset[bytes]
    ) -> dict[_Outcome, Setting]:
        """What the conditions may come to, each with the newest setting for which they do; newest first."""
        key = tuple(expression.text for expression in expressions)
        known = self.outcomes.get(key)
        if known is None:
            known = self.outcomes[key] = {}
            for setting in self._settings(names):
                known.setdefault(self._outcome(section, expressions, setting), setting)
        return known

    def _settings(self, names: frozenset[bytes]) -> Iterator[Setting]:
        chosen = self.unit.options.targeting.cuda
        cudas = _CUDAS if names & _CUDA_NUMBERS.keys() else _CUDAS[:1]
        for numbers in product(
            _ARCHITECTURES if ARCHITECTURE in names else _ARCHITECTURES[:1],
            (version(chosen),) if chosen else cudas,
            _CUDNNS if any(name.startswith(b"CUDNN") for name in names) else _CUDNNS[:1],
            _CCCLS if names & _CCCL_NUMBERS.keys() else _CCCLS[:1],
        ):
            yield Setting(*numbers)

    def _is_open(self, names: frozenset[bytes]) -> bool:
        """A macro of which nothing is known decides."""
        return any(self._value(name) is None for name in names - NUMBERS - {b"defined"})

    def _macros(self, setting: Setting, is_device: bool, is_beside_own: bool) -> tuple[Macro, Macro]:
        """What names come to in a condition, and whether they are defined there."""
        absent = (frozenset() if is_device else _OF_DEVICE) | (_OF_CUDA if is_beside_own else frozenset())

        def value(name: bytes) -> int | None:
            return 0 if name in absent else setting.value(name) if name in NUMBERS else self._value(name)

        def defined(name: bytes) -> int | None:
            return 0 if name in absent else 1 if name in NUMBERS else self._defined(name)

        return value, defined

    def _condition(self, branch: Branch) -> bytes:
        """A branch's condition; a header that HIP has nothing for is not there."""
        text = condition(self.data, branch)
        return _HAS_INCLUDE.sub(lambda match: b"0" if self._is_missing(match[1]) else match[0], text)

    def _is_missing(self, path: bytes) -> bool:
        row = self.unit.catalog.row(path)
        if row is not None:
            return row.kind == "header" and row.is_unsupported
        family = self.unit.catalog.family(path.decode(errors="replace"), header=True)
        return family is not None and family.library == "libcudacxx"  # others may stand in the project's own folders

    def _value(self, name: bytes) -> int | None:
        if name in self.absent or name in self.zeros:
            return 0
        if name in _THRUST:
            return _THRUST[name]
        if name in self.constants:
            return self.constants[name]
        generation = _GENERATION.search(name)
        return _GENERATIONS[generation[1].upper()] if generation else self._defined(name)

    def _defined(self, name: bytes) -> int | None:
        if name in _DEFINED_BY_HIP or (self.is_hip_build and _BUILDS_FOR_HIP.fullmatch(name)):
            return 1
        if name in self.absent:
            return 0
        if name in _NOT_DEFINED:
            return 0
        row = self.unit.catalog.row(name)
        if row is None:
            family = self.unit.catalog.family(name.decode())
            return 0 if family is not None and family.library == "cutlass" else None
        return 0 if row.kind == "macro" and row.is_unsupported else None

    def _weigh(self, section: Section, outcome: _Outcome, is_newest: bool) -> tuple[int, Sign | None]:
        """How much speaks against the branches that an outcome may compile, and the worst of it."""
        taken = _taken(section, outcome)
        worst: Sign | None = None
        for branch in taken:
            for sign in self._signs(branch):
                if worst is None or sign.weight > worst.weight:
                    worst = sign
        assert self.content is not None
        for branch in section:
            name = "" if branch in taken else self.content.provides(branch.body, branch.end)
            if name and (worst is None or worst.weight < LACKED):
                worst = Sign(section[0].start, LACKED, name)
        if worst is None and not is_newest and not any(self._holds_code(branch) for branch in taken):
            return NOTHING, None
        return (worst.weight if worst else 0), worst

    def _signs(self, branch: Branch) -> list[Sign]:
        """What speaks against a branch, but for what stands in conditions within it that are decided themselves."""
        assert self.content is not None
        is_stub = self.content.is_stub(branch.body, branch.end)
        return [
            sign
            for sign in self.content.signs(branch.body, branch.end)
            if self.innermost[sign.offset] <= branch.start and (sign.weight != STOP or is_stub)
        ]

    def _innermost(self) -> dict[int, int]:
        """For the place of each sign, where the innermost of the sections around it begins; -1 outside of them."""
        if self.content is None:
            return {}
        found: dict[int, int] = {}
        waiting = sorted(((section[0].start, section[-1].end) for section, _ in self.read), reverse=True)
        around: list[tuple[int, int]] = []
        for sign in self.content.signs(0, len(self.data)):
            while waiting and waiting[-1][0] <= sign.offset:
                around.append(waiting.pop())
            while around and around[-1][1] <= sign.offset:
                around.pop()
            found[sign.offset] = around[-1][0] if around else -1
        return found

    def _does_work(self, branch: Branch) -> bool:
        return self.content is not None and self.content.does_work(branch.body, branch.end)

    def _holds_code(self, branch: Branch) -> bool:
        at = self.unit.lexemes.after(branch.body)
        return at < branch.end


@lru_cache(maxsize=2)
def _chooser(unit: Unit) -> _Chooser:
    return _Chooser(unit)


def _beside_own(section: Section, expressions: list[Expression]) -> Iterator[int]:
    """The branches that ask for CUDA's compiler in front of one that asks for HIP's."""
    is_own = [any(_OWN.fullmatch(name) for name in expression.names) for expression in expressions]
    for at, (branch, expression) in enumerate(zip(section, expressions, strict=True)):
        if expression.names & _OF_CUDA and not is_own[at] and any(is_own[at + 1 :]):
            yield branch.start
