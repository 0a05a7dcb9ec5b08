"""Clones untrusted git repositories: the last commit, with every program disabled that git could run."""

from __future__ import annotations

import os
import subprocess

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "credential.helper=",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "protocol.file.allow=always",
    "http.followRedirects=initial",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
)
"""No hook, no helper, no other transport, whatever a repository's or the user's configuration sets."""


class CannotClone(Exception):
    """git failed; the message is git's."""


def clone(url: str, folder: str) -> str:
    """Clone the last commit of a repository into a folder that is not there yet; returns the commit.

    Raises:
        CannotClone: when git is not installed, or cannot do it.
    """
    where = url if "://" in url else "file://" + os.path.abspath(url)
    options = ("--depth=1", "--single-branch", "--no-tags", "--no-recurse-submodules", "--template=", "--quiet")
    _git("clone", *options, "--", where, folder)
    return _git("-C", folder, "rev-parse", "HEAD").strip()


def _git(*arguments: str) -> str:
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    # No configuration is read, and neither git nor ssh asks for a password.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes -oPermitLocalCommand=no",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "LC_ALL": "C",
    }
    try:
        # The URL comes after "--" and begins with a scheme, so it is not an option.
        done = subprocess.run(  # nosec B603 B607
            ["git", *settings, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise CannotClone(f"git cannot be started: {error.strerror}") from error
    if done.returncode:
        lines = done.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
        raise CannotClone(f"git cannot clone it: {lines[-1] if lines else done.returncode}")
    return done.stdout.decode("utf-8", "backslashreplace")
