"""The package index is reached as pip is configured to reach it."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import pytest

from hipify_py.headers.fetch import fetch as checked
from hipify_py.headers.index import Index, concealed, index_of, new_session
from hipify_py.headers.sets import HeaderSet
from hipify_py.headers.wheels import FetchError

from .conftest import LocalIndex

SET = HeaderSet("cuda-1.0", "cuda", "1.0", {"nv-one": {"version": "1.0"}})
fetch = partial(checked, unpinned=True)
NOTHING = {"PIP_CONFIG_FILE": os.devnull}


@pytest.fixture(autouse=True)
def no_files_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.setattr(sys, "platform", "linux")


def configured(tmp_path: Path, text: str, **more: str) -> Index:
    path = tmp_path / "pip.conf"
    path.write_text(text)
    return index_of({"HOME": str(tmp_path), "XDG_CONFIG_DIRS": str(tmp_path), "PIP_CONFIG_FILE": str(path), **more})


def test_without_a_configuration_it_is_the_public_one() -> None:
    assert index_of(NOTHING) == Index(("",))


def test_the_variables_of_pip_hold() -> None:
    said = index_of(
        {
            **NOTHING,
            "PIP_INDEX_URL": "https://mirror.example/simple",
            "PIP_EXTRA_INDEX_URL": "https://more.example/a https://more.example/b",
            "PIP_PROXY": "http://proxy.example:3128",
            "PIP_CERT": "/certs.pem",
            "PIP_CLIENT_CERT": "/me.pem",
            "PIP_TRUSTED_HOST": "mirror.example:8443 other.example",
            "PIP_TIMEOUT": "7",
        }
    )
    assert said == Index(
        ("https://mirror.example/simple", "https://more.example/a", "https://more.example/b"),
        "http://proxy.example:3128",
        "/certs.pem",
        "/me.pem",
        frozenset({"mirror.example", "other.example"}),
        7.0,
    )


def test_so_do_its_files_and_the_later_ones_win(tmp_path: Path) -> None:
    user = tmp_path / ".config" / "pip" / "pip.conf"
    user.parent.mkdir(parents=True)
    user.write_text("[global]\nindex-url = https://user.example/simple\nproxy = http://p.example\n")
    said = configured(
        tmp_path, "[global]\nindex-url = https://named.example/simple\n[list]\nproxy = http://q.example\n"
    )
    assert (said.addresses, said.proxy) == (("https://named.example/simple",), "")
    said = configured(tmp_path, "[global]\ntimeout = 5\n[download]\ntimeout = 6\n", PIP_INDEX_URL="https://e.example/")
    assert (said.addresses, said.patience) == (("https://e.example/",), 6.0)
    named = {"HOME": str(tmp_path), "PIP_CONFIG_FILE": os.devnull}
    assert index_of(named).addresses == ("",)


def test_a_section_of_a_command_wins_whichever_file_it_is_in(tmp_path: Path) -> None:
    machine = tmp_path / "pip" / "pip.conf"
    machine.parent.mkdir()
    machine.write_text(
        "[download]\nindex-url = https://download.example/simple\n[install]\nproxy = http://install.example\n"
    )
    said = configured(
        tmp_path,
        "[global]\nindex-url = https://named.example/simple\nproxy = http://named.example\ntimeout = 9\ncert =\n",
    )
    assert (said.addresses, said.proxy) == (("https://download.example/simple",), "http://install.example")
    assert said.patience == 9.0
    said = configured(tmp_path, "[download]\nindex-url = https://named.example/simple\n", PIP_PROXY="http://e.example")
    assert (said.addresses, said.proxy) == (("https://named.example/simple",), "http://e.example")


def test_a_named_file_takes_the_place_of_the_users(tmp_path: Path) -> None:
    user = tmp_path / ".config" / "pip" / "pip.conf"
    user.parent.mkdir(parents=True)
    user.write_text("[global]\nproxy = http://user.example\n")
    assert configured(tmp_path, "[global]\ntimeout = 9\n").proxy == ""
    environment = {"HOME": str(tmp_path), "PIP_CONFIG_FILE": str(tmp_path / "none.conf")}
    assert index_of(environment).proxy == "http://user.example"


def test_names_are_written_as_pip_takes_them(tmp_path: Path) -> None:
    said = configured(tmp_path, "[global]\nindex_url = https://a.example/simple\n--Proxy = http://p.example\n")
    assert (said.addresses, said.proxy) == (("https://a.example/simple",), "http://p.example")


def test_the_file_of_the_environment_and_those_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "prefix").mkdir()
    (tmp_path / "prefix/pip.conf").write_text("[install]\nindex-url = https://venv.example/simple\n")
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip/pip.conf").write_text("[global]\nindex-url = https://machine.example/simple\n")
    environment = {"HOME": str(tmp_path / "home"), "XDG_CONFIG_DIRS": str(tmp_path)}
    assert index_of(environment).addresses[0] == "https://venv.example/simple"
    (tmp_path / "prefix/pip.conf").unlink()
    assert index_of(environment).addresses[0] == "https://machine.example/simple"


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_other_systems_have_their_own_places(platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    name = "pip.ini" if platform == "win32" else "Library/Application Support/pip/pip.conf"
    environment = {"APPDATA": str(tmp_path), "HOME": str(tmp_path), "XDG_CONFIG_DIRS": str(tmp_path)}
    path = tmp_path / "pip" / name if platform == "win32" else tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text("[global]\nindex-url = https://there.example/simple\n")
    assert index_of(environment).addresses[0] == "https://there.example/simple"


def test_the_option_takes_the_place_of_all_that_is_configured() -> None:
    environment = {**NOTHING, "PIP_INDEX_URL": "https://a.example/", "PIP_NO_INDEX": "1"}
    assert index_of(environment, "https://b.example/simple").addresses == ("https://b.example/simple",)


def test_pip_may_be_told_to_ask_no_index() -> None:
    with pytest.raises(FetchError, match="pip is configured without an index"):
        index_of({**NOTHING, "PIP_NO_INDEX": "true"})


def test_an_index_of_files_is_passed_over_or_refused() -> None:
    more = {**NOTHING, "PIP_EXTRA_INDEX_URL": "file:///wheels"}
    assert index_of(more).addresses == ("",)
    with pytest.raises(FetchError, match="file:///wheels: only https: and http: indexes"):
        index_of(NOTHING, "file:///wheels")


def test_a_configuration_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"pip\.conf"):
        configured(tmp_path, "index-url = lost\n")
    with pytest.raises(FetchError, match="timeout"):
        index_of({**NOTHING, "PIP_TIMEOUT": "long"})


def test_the_first_index_that_has_it_gives_the_wheel(index: LocalIndex, tmp_path: Path) -> None:
    index.add("nv-one", "1.0", {"x/include/a.h": "int a;\n"})
    both = Index((f"http://{index.host}/empty/", index.url))
    list(fetch(SET, tmp_path / "s", both))
    assert (tmp_path / "s/include/a.h").is_file()
    assert index.asked[0][0] == "/empty/nv-one/"


def test_an_account_in_the_address_is_used_and_never_told(index: LocalIndex, tmp_path: Path) -> None:
    index.add("nv-one", "1.0", {"x/include/a.h": "int a;\n"})
    account = Index((f"http://me:secret%21@{index.host}/simple/",))
    list(fetch(SET, tmp_path / "s", account))
    assert {said for _, said in index.asked} == {"Basic bWU6c2VjcmV0IQ=="}
    index.answers["/simple/nv-one/"] = 401
    with pytest.raises(FetchError) as caught:
        list(fetch(SET, tmp_path / "t", account))
    assert "401" in str(caught.value)
    assert "secret" not in str(caught.value)
    index.answers.clear()
    (path,) = [path for path in index.files if path.endswith(".whl")]
    index.answers[path] = 403
    with pytest.raises(FetchError) as caught:
        list(fetch(SET, tmp_path / "t", account))
    assert str(caught.value) == "nv-one 1.0: it answers 403 Forbidden"
    assert concealed("https://me:secret@host.example:8443/simple") == "https://host.example:8443/simple"


def test_the_proxy_is_asked(index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "")
    wheel = index.add("nv-one", "1.0", {"x/include/a.h": "int a;\n"})
    page = f'<a href="http://far.example{wheel}">{wheel.rpartition("/")[2]}</a>'.encode()
    index.files["http://far.example/simple/nv-one/"] = page
    index.files[f"http://far.example{wheel}"] = index.files[wheel]
    list(fetch(SET, tmp_path / "s", Index(("http://far.example/simple/",), proxy=f"http://{index.host}")))
    assert {path.partition("/simple")[0].partition("/files")[0] for path, _ in index.asked} == {"http://far.example"}


def test_certificates_and_trust_are_told_for_each_request(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = pytest.importorskip("requests")
    told: list[tuple[str, object, object]] = []

    def request(self: object, method: str, url: str, *arguments: object, **options: object) -> None:
        told.append((url, options.get("verify"), options.get("timeout")))

    monkeypatch.setattr(requests.Session, "request", request)
    session = new_session(Index((), certificates="/c.pem", trusted=frozenset({"t.example"}), patience=3))
    session.request("GET", "https://t.example:8443/x")
    session.request("GET", "https://u.example/x")
    assert told == [("https://t.example:8443/x", False, 3), ("https://u.example/x", "/c.pem", 3)]


def test_a_busy_index_is_asked_again(index: LocalIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    index.files["/x"] = b"x"
    index.answers["/x"] = 503
    urllib3 = pytest.importorskip("urllib3")
    monkeypatch.setattr(urllib3.Retry, "sleep", lambda *arguments: index.answers.clear())
    with new_session(index.index) as session:
        assert session.get(f"http://{index.host}/x").content == b"x"
    assert len(index.asked) == 2
