"""The package index, as pip is configured to reach it: its address, proxies, certificates and patience.

pip's files and variables are read, in pip's order, so that what works for `pip download` works here; pip itself need
not be installed. Of several indexes the first that has a wheel gives it.
"""

from __future__ import annotations

import configparser
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

from hipify_py.headers.wheels import FetchError, reason_of

_SECTIONS = ("global", "install", "download")
"""The sections of pip's files that matter, the weakest first: a command's own wins, whichever file it is in."""

_KEYS = ("index-url", "extra-index-url", "no-index", "proxy", "cert", "client-cert", "trusted-host", "timeout")
_YES = frozenset({"1", "true", "yes", "on", "t", "y"})
_PATIENCE = 30.0
_TRIES = 3


class Index(NamedTuple):
    """Where wheels come from, and how it is reached.

    Attributes:
        addresses: of the indexes, the first to be asked first; none stands for the public one.
        proxy: for all requests; the environment's variables hold where it is empty.
        certificates: a file of those that are trusted; the usual ones where it is empty.
        client_certificate: a file of the one to show.
        trusted: hosts whose certificates are not looked at.
        patience: seconds to wait for an answer.
    """

    addresses: tuple[str, ...] = ()
    proxy: str = ""
    certificates: str = ""
    client_certificate: str = ""
    trusted: frozenset[str] = frozenset()
    patience: float = _PATIENCE


def index_of(environment: Mapping[str, str], url: str = "") -> Index:
    """The index that pip would ask; `url` takes the place of all configured ones.

    Raises:
        FetchError: when pip's configuration cannot be read, or forbids to ask any.
    """
    said = _configured(environment)
    addresses = [url] if url else [*said.get("index-url", "").split()[:1], *said.get("extra-index-url", "").split()]
    if not url and said.get("no-index", "").lower() in _YES:
        raise FetchError("pip is configured without an index (no-index); name one with --index-url")
    if not url and not said.get("index-url"):
        addresses.insert(0, "")  # the public one
    asked = [address for address in addresses if not address or address.startswith(("https:", "http:"))]
    if not asked:
        raise FetchError(f"{concealed(addresses[0])}: only https: and http: indexes support fetching parts of files")
    try:
        patience = float(said.get("timeout", _PATIENCE))
    except ValueError as error:
        raise FetchError(f"pip's configuration: timeout: {error}") from error
    return Index(
        (*asked,),
        said.get("proxy", ""),
        said.get("cert", ""),
        said.get("client-cert", ""),
        frozenset(host.partition(":")[0] for host in said.get("trusted-host", "").split()),
        patience,
    )


def new_session(index: Index) -> Any:
    """A session of `requests` that keeps to it, and tries again where an index is busy."""
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3 import Retry

    accounts = {
        parts.hostname: (unquote(parts.username), unquote(parts.password or ""))
        for address in index.addresses
        if (parts := urlsplit(address)).username
    }

    class Session(requests.Session):
        def request(self, method: Any, url: Any, *arguments: Any, **options: Any) -> Any:
            host = urlsplit(url).hostname
            options.setdefault("timeout", index.patience)
            options.setdefault("auth", accounts.get(host))
            if index.proxy:
                options.setdefault("proxies", {"http": index.proxy, "https": index.proxy})
            if host in index.trusted:
                options["verify"] = False
            elif index.certificates:
                options["verify"] = index.certificates
            return super().request(method, url, *arguments, **options)

    session = Session()
    session.cert = index.client_certificate or None
    retry = Retry(_TRIES, backoff_factor=0.5, status_forcelist=(429, 500, 502, 503, 504), raise_on_status=False)
    for scheme in ("https://", "http://"):
        session.mount(scheme, HTTPAdapter(max_retries=retry))
    return session


def wheel_address(session: Any, index: Index, project: str, version: str) -> str:
    """The address of a project's wheel of that version for Linux on x86-64 (headers are the same everywhere).

    Raises:
        FetchError: when no index has it, or one cannot be read.
    """
    from pypi_simple import PYPI_SIMPLE_ENDPOINT, NoSuchProjectError, PyPISimple, UnsupportedContentTypeError
    from requests import RequestException

    known = False
    for address in index.addresses or ("",):
        try:
            with PyPISimple(endpoint=address or PYPI_SIMPLE_ENDPOINT, session=session) as asked:
                packages = asked.get_project_page(project).packages
        except NoSuchProjectError:
            continue
        except (RequestException, UnsupportedContentTypeError, ValueError) as error:
            raise FetchError(f"the index cannot be read: {reason_of(error)}") from error
        known = True
        for package in reversed(packages):
            name = package.filename
            fits = "none-any" in name or ("x86_64" in name and "linux" in name)
            if package.package_type == "wheel" and package.version == version and fits:
                return package.url
    if not known:
        raise FetchError("the index has no such project")
    raise FetchError("the index has no wheel of that version for Linux on x86-64")


def concealed(url: str) -> str:
    """An address without the name and password in it."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _configured(environment: Mapping[str, str]) -> dict[str, str]:
    """What pip's files and variables say: its variables first, then sections, then files, as pip ranks them."""
    by_section: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for path in _files(environment):
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError, OSError) as error:
            raise FetchError(f"{path}: {error}") from error
        for section in _SECTIONS:
            if parser.has_section(section):
                entries = {_normal(key): value for key, value in parser.items(section)}
                by_section[section].update({key: value for key, value in entries.items() if key in _KEYS and value})
    said = {key: value for section in _SECTIONS for key, value in by_section[section].items()}
    for key in _KEYS:
        value = environment.get("PIP_" + key.upper().replace("-", "_"))
        if value:
            said[key] = value
    return said


def _normal(key: str) -> str:
    """A setting's name as pip takes it: `index_url` and `--index-url` are `index-url`."""
    return key.lower().replace("_", "-").removeprefix("--")


def _files(environment: Mapping[str, str]) -> Iterator[str]:
    """pip's files: the machine's, the user's, the environment's, and the one that a variable names.

    Where that one is there, the user's own are left out.
    """
    named = environment.get("PIP_CONFIG_FILE", "")
    if named == os.devnull:
        return
    yield from _files_of_machine(environment)
    if not os.path.exists(named):
        yield from _files_of_user(environment)
    yield os.path.join(sys.prefix, "pip.ini" if sys.platform == "win32" else "pip.conf")
    if named:
        yield named


def _files_of_machine(environment: Mapping[str, str]) -> Iterator[str]:
    if sys.platform == "win32":
        if environment.get("PROGRAMDATA"):
            yield os.path.join(environment["PROGRAMDATA"], "pip", "pip.ini")
        return
    folders = environment.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    yield from (os.path.join(folder, "pip", "pip.conf") for folder in reversed(folders.split(os.pathsep)))
    yield "/etc/pip.conf"
    if sys.platform == "darwin":
        yield "/Library/Application Support/pip/pip.conf"


def _files_of_user(environment: Mapping[str, str]) -> Iterator[str]:
    home = environment.get("HOME") or os.path.expanduser("~")
    if sys.platform == "win32":
        yield os.path.join(os.path.expanduser("~"), "pip", "pip.ini")
        if environment.get("APPDATA"):
            yield os.path.join(environment["APPDATA"], "pip", "pip.ini")
        return
    yield os.path.join(home, ".pip", "pip.conf")
    yield os.path.join(environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "pip", "pip.conf")
    if sys.platform == "darwin":
        yield os.path.join(home, "Library", "Application Support", "pip", "pip.conf")
