"""Records behave as what `typing.NamedTuple` makes of the same class."""

from __future__ import annotations

import copy
import pickle
import re
import typing
from pathlib import Path

import pytest

import hipify_py
from hipify_py.records import NamedTuple


class Point(NamedTuple):
    """A place."""

    x: int
    y: int = 2
    names: tuple[str, ...] = ()

    @property
    def sum(self) -> int:
        """Both together."""
        return self.x + self.y

    @classmethod
    def origin(cls) -> Point:
        """The first one."""
        return cls(0, 0)


class Plain(NamedTuple):
    only: str


class Model(typing.NamedTuple):
    """A place."""

    x: int
    y: int = 2
    names: tuple[str, ...] = ()


def test_fields_and_defaults() -> None:
    assert Point(1) == (1, 2, ()) == Point(x=1) == Point(1, 2, ()) == Point(1, names=())
    assert (Point(1).x, Point(1).y, Point(1, names=("a",)).names) == (1, 2, ("a",))
    assert Point(1).sum == 3
    assert Point.origin() == (0, 0, ())
    assert isinstance(Point.origin(), Point)
    assert Plain("a") == ("a",)
    assert Point.__doc__ == "A place."
    assert Plain.__doc__ == "Plain(only)"


@pytest.mark.parametrize(
    ("arguments", "named"), [((), {}), ((1, 2, (), 4), {}), ((1,), {"x": 1}), ((1,), {"z": 1}), ((), {"y": 1})]
)
def test_wrong_arguments(arguments: tuple[typing.Any, ...], named: dict[str, typing.Any]) -> None:
    with pytest.raises(TypeError) as ours:
        Point(*arguments, **named)
    with pytest.raises(TypeError) as theirs:
        Model(*arguments, **named)
    assert str(ours.value).replace("Point", "Model") == str(theirs.value)


def test_they_are_tuples_that_nothing_can_be_set_on() -> None:
    point = Point(1)
    assert [*point] == [1, 2, ()]
    assert hash(point) == hash((1, 2, ()))
    assert {point: "a"}[typing.cast(Point, (1, 2, ()))] == "a"
    for name in ("x", "other"):
        with pytest.raises(AttributeError):
            setattr(point, name, 3)
    assert not hasattr(point, "__dict__")


@pytest.mark.parametrize("name", ["__match_args__", "_fields", "_field_defaults", "__annotations__", "__slots__"])
def test_what_the_class_tells_of_itself(name: str) -> None:
    ours, theirs = getattr(Point, name), getattr(Model, name)
    assert [*ours] == [*theirs]
    assert (Point.__module__, Point.__qualname__, Point.__mro__[-2:]) == (__name__, "Point", (tuple, object))


def test_methods_of_named_tuples() -> None:
    point = Point(1, 3, ("a",))
    assert point._replace(y=4) == Point(1, 4, ("a",))
    assert type(point._replace(y=4)) is Point
    with pytest.raises((ValueError, TypeError), match="z"):
        point._replace(z=4)  # type: ignore[call-arg]  # that is what is tested
    assert point._asdict() == {"x": 1, "y": 3, "names": ("a",)}
    assert Point._make([1, 2, ()]) == Point(1)
    with pytest.raises(TypeError, match="Expected 3 arguments, got 1"):
        Point._make([1])
    assert repr(point) == "Point(x=1, y=3, names=('a',))"
    match point:
        case Point(x, _, names):
            assert (x, names) == (1, ("a",))
        case _:
            pytest.fail("a record matches its class")


def test_they_can_be_copied_and_pickled() -> None:
    point = Point(1, 3, ("a",))
    for again in (copy.copy(point), copy.deepcopy(point), *(pickle.loads(pickle.dumps(point, at)) for at in range(6))):
        assert again == point
        assert type(again) is Point


@pytest.mark.parametrize("count", range(1, 21))
def test_any_number_of_fields(count: int) -> None:
    fields = [f"field_{number}" for number in range(count)]
    made = type(NamedTuple)("Made", (NamedTuple,), {"__annotations__": dict.fromkeys(fields, "int")})
    assert made(*range(count)) == made(**{field: number for number, field in enumerate(fields)}) == (*range(count),)
    with pytest.raises(TypeError, match="positional argument"):
        made(*range(count + 1))


def test_a_class_needs_fields() -> None:
    with pytest.raises(TypeError, match="Empty"):

        class Empty(NamedTuple):
            pass


MODULES = [path for path in Path(hipify_py.__file__).parent.rglob("*.py") if path.name != "records.py"]


def test_the_program_has_no_others() -> None:
    """Each class of `typing` takes a tenth of a millisecond, for which every check of a file would wait."""
    assert len(MODULES) > 400
    assert [path for path in MODULES if re.search(r"import .*\bNamedTuple\b", other(path)) is not None] == []


def other(path: Path) -> str:
    """A module without what it imports from `records`."""
    return path.read_text(encoding="utf-8").replace("from hipify_py.records import NamedTuple\n", "")


def test_their_annotations_stay_strings() -> None:
    using = [path for path in MODULES if "(NamedTuple)" in path.read_text(encoding="utf-8")]
    assert len(using) > 100
    assert [path for path in using if "from __future__ import annotations" not in other(path)] == []
