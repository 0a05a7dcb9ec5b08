"""Everything that is known of all repositories, as one document."""

from __future__ import annotations

import json

from hipify_py.survey.account import Account


def render(account: Account) -> bytes:
    """The document."""
    return (json.dumps(account.document(), indent=2, ensure_ascii=False) + "\n").encode()
