"""What the command line says of a run that had begun and cannot go on."""

from __future__ import annotations

import pytest

from hipify_py.cli import main
from hipify_py.project.errors import PlanError, RunLost


@pytest.mark.parametrize(("error", "status"), [(RunLost("no worker is left"), 3), (PlanError("no such file"), 2)])
def test_the_exit_status_tells_a_lost_run_from_a_wrong_one(
    error: PlanError, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(main.cli, "main", fail)
    assert main.run(["check", "."]) == status
    assert capsys.readouterr().err == f"Error: {error}\n"
