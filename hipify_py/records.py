"""`NamedTuple` as `typing` makes it, in a tenth of the time: a check of one file waits for some sixty such classes.

`typing` compiles each annotation and, for each class, a function of its own. Here all classes with as many fields share
one, and annotations stay strings: the modules have to begin with `from __future__ import annotations`.
"""

from __future__ import annotations

__all__ = ["NamedTuple"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from _collections import _tuplegetter
    from functools import cache
    from types import FunctionType

    class _Record(tuple):
        """What all records have."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes):
            made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {[*changes]!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(map('{}={!r}'.format, self._fields, self))})"

        def __getnewargs__(self):
            return tuple(self)

        __replace__ = _replace

    _new = tuple.__new__
    _MAKERS = (
        lambda _cls, a: _new(_cls, (a,)),
        lambda _cls, a, b: _new(_cls, (a, b)),
        lambda _cls, a, b, c: _new(_cls, (a, b, c)),
        lambda _cls, a, b, c, d: _new(_cls, (a, b, c, d)),
        lambda _cls, a, b, c, d, e: _new(_cls, (a, b, c, d, e)),
        lambda _cls, a, b, c, d, e, f: _new(_cls, (a, b, c, d, e, f)),
        lambda _cls, a, b, c, d, e, f, g: _new(_cls, (a, b, c, d, e, f, g)),
        lambda _cls, a, b, c, d, e, f, g, h: _new(_cls, (a, b, c, d, e, f, g, h)),
        lambda _cls, a, b, c, d, e, f, g, h, i: _new(_cls, (a, b, c, d, e, f, g, h, i)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j: _new(_cls, (a, b, c, d, e, f, g, h, i, j)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m, n)),
        lambda _cls, a, b, c, d, e, f, g, h, i, j, k, m, n, o: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k, m, n, o)),
    )
    """`__new__` for one field, for two and so on: compiling one takes as long as loading all of these."""

    @cache
    def _maker(count):
        """The code of the `__new__` of all records of so many fields."""
        if count <= len(_MAKERS):
            return _MAKERS[count - 1].__code__
        names = ", ".join(f"_{number}" for number in range(count))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names},))").__code__  # of nothing but numbers  # nosec B307

    _GLOBALS = {"_new": _new}

    class _Kind(type):
        """Makes the classes that derive from `NamedTuple`."""

        def __new__(cls, name, bases, namespace):
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = (*namespace.get("__annotations__", ()),)
            if not fields:
                raise TypeError(f"{name} has no fields, or they are no strings")
            defaults = {field: namespace.pop(field) for field in fields if field in namespace}
            code = _maker(len(fields)).replace(co_varnames=("_cls", *fields))
            make = FunctionType(code, _GLOBALS, "__new__", (*defaults.values(),))
            make.__qualname__ = f"{name}.__new__"
            members = {
                "__slots__": (),
                "__doc__": f"{name}({', '.join(fields)})",
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                "__new__": make,
                **{field: _tuplegetter(number, None) for number, field in enumerate(fields)},
            }
            return type(name, (_Record,), {**members, **namespace})

    class NamedTuple(metaclass=_Kind):
        """A tuple with names for its fields, as `typing.NamedTuple`."""
