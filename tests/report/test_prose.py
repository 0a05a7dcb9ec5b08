"""Text as Markdown: rendered, it has the characters that were written."""

from __future__ import annotations

import re
from html import unescape

import pytest
from markdown_it import MarkdownIt

from hipify_py.catalog.register import read_register
from hipify_py.report.explain import markdown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use __launch_bounds__ here.", "Use `__launch_bounds__` here."),
        ("__hip_atomic_* and cuda::std::my_type()", "`__hip_atomic_*` and `cuda::std::my_type()`"),
        ("major * 1000 + minor * 10", "major \\* 1000 + minor \\* 10"),
        ("reinterpret_cast<const a_t *>(p), hip/hip_bf16.h", "`reinterpret_cast<const a_t *>(p)`, `hip/hip_bf16.h`"),
        ("<nvcomp/snappy.h> (nvcomp)", "`<nvcomp/snappy.h>` (nvcomp)"),
        ("if a < b, see `x_y < z`", "if a &lt; b, see `x_y < z`"),
        ("plain words, a-b, 1.5", "plain words, a-b, 1.5"),
    ],
)
def test_names_become_code_and_markup_is_escaped(text: str, expected: str) -> None:
    assert markdown(text) == expected


def test_no_text_of_the_register_changes_when_it_is_rendered() -> None:
    texts = [entry[key] for entry in read_register().values() for key in ("title", "advice", "source") if key in entry]
    assert len(texts) > 100
    for text in texts:
        html = MarkdownIt("gfm-like", {"linkify": False}).render(markdown(text))
        assert "<em>" not in html
        assert "<strong>" not in html
        seen = unescape(re.sub(r"<[^>]+>", "", html))
        assert "".join(seen.split()) == "".join(text.replace("`", "").split())
