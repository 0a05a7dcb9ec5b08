"""Connected components of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def components(links: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The connected components of a graph, each in the order of its keys; a link counts both ways."""
    head: dict[str, str] = {}

    def find(name: str) -> str:
        while head.setdefault(name, name) != name:
            head[name] = head[head[name]]
            name = head[name]
        return name

    for name, others in links.items():
        for other in others:
            head[find(other)] = find(name)
    groups: dict[str, list[str]] = {}
    for name in links:
        groups.setdefault(find(name), []).append(name)
    return list(groups.values())
