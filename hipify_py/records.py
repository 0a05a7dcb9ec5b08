"""`NamedTuple` as `typing` makes it, in a tenth of the time: a check of one file waits for some sixty such classes.

`typing` compiles each annotation and, for each class, a function of its own. Here all classes with as many fields share
one, and annotations stay strings: the modules have to begin with `from __future__ import annotations`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

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

    @cache
    def _maker(count):
        """The code of the `__new__` of all records of so many fields."""
        names = ", ".join(f"_{number}" for number in range(count))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names},))").__code__  # of nothing but numbers  # nosec B307

    _GLOBALS = {"_new": tuple.__new__}

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
