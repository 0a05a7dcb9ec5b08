"""The examples for Azure Pipelines and Jenkins: their form, and their shell parts run by the shells of these servers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import REPOSITORY, Shell, check_schema, documents

AZURE = REPOSITORY / "integrations" / "azure" / "azure-pipelines.yml"
PIPELINE = documents(AZURE)[0]
AZURE_STEPS = {step["displayName"]: step for step in PIPELINE["steps"] if "displayName" in step}

JENKINS = REPOSITORY / "integrations" / "jenkins" / "Jenkinsfile"
GROOVY = JENKINS.read_text()
# In Groovy's ''' texts a backslash is written twice.
JENKINS_TEXTS = [text.replace("\\\\", "\\") for text in re.findall(r"sh '''\n(.*?)'''", GROOVY, re.DOTALL)]
JENKINS_VARIABLES = dict(re.findall(r"(HIPIFY_\w+) = '(.*)'", GROOVY))

NOT_PORTED = "cudaGraphConditionalHandleCreate"


def azure_environment(step: dict[str, dict[str, str]], values: dict[str, str]) -> dict[str, str]:
    """The environment of a step, with the pipeline's variables filled in as the server does."""
    variables = PIPELINE["variables"] | values
    return {name: re.sub(r"\$\((\w+)\)", lambda found: variables[found[1]], text) for name, text in step["env"].items()}


def test_the_azure_pipeline_fits_the_schema() -> None:
    check_schema("azure-pipelines", AZURE)


def test_azure_puts_nothing_into_the_text_of_a_shell() -> None:
    texts = [step["bash"] for step in PIPELINE["steps"] if "bash" in step]
    assert len(texts) == 2
    assert not any("$(" in text or "${{" in text for text in texts)


def test_azure_shows_findings_as_issues_and_publishes_what_is_there(shell: Shell, project: Path) -> None:
    step = AZURE_STEPS["Check what is left to port"]
    done = shell(step["bash"], azure_environment(step, {}), "bash", "--noprofile", "--norc")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("##vso[task.logissue type=error;sourcepath=src/bad.cu;linenumber=1;")
    published = [step["publish"] for step in PIPELINE["steps"] if "publish" in step]
    published.append(AZURE_STEPS["Show the findings as tests"]["inputs"]["testResultsFiles"])
    assert len(published) == 3
    assert all(NOT_PORTED in (project / name).read_text() for name in published)


def test_azure_takes_several_paths(shell: Shell, project: Path) -> None:
    step = AZURE_STEPS["Check what is left to port"]
    environment = azure_environment(step, {"hipifyPaths": "src/good.cu src/$(pwd)", "hipifyFailOn": "never"})
    done = shell(step["bash"], environment, "bash", "--noprofile", "--norc")
    assert done.returncode == 3
    assert "src/$(pwd)" in done.stderr


def test_the_jenkinsfile_is_in_balance() -> None:
    code = re.sub(r"'''.*?'''|'[^'\n]*'|//[^\n]*", "", GROOVY, flags=re.DOTALL)
    assert '"' not in code, "Groovy puts values into texts with double quotes"
    for opening, closing in ("{}", "()"):
        assert code.count(opening) == code.count(closing) > 0
    assert code.lstrip().startswith("pipeline {")


def test_jenkins_gets_what_it_publishes(shell: Shell, project: Path, temporary: Path) -> None:
    _, check = JENKINS_TEXTS
    done = shell(check, {**JENKINS_VARIABLES, "WORKSPACE_TMP": str(temporary)}, "sh", "-xe")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("src/bad.cu:1:12: error HIP101 ")
    (tests,) = re.findall(r"testResults: '(.*)'", GROOVY)
    (kept,) = re.findall(r"artifacts: '(.*)'", GROOVY)
    for name in [tests, *kept.split(", ")]:
        assert NOT_PORTED in (project / name).read_text()
    json.loads((project / "hipify.sarif").read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("server", ["azure", "jenkins", "gitlab"])
def test_they_install(shell: Shell, project: Path, tmp_path: Path, server: str) -> None:
    (project / "venv.py").write_text("open('pwned', 'w')\n")
    (project / "pip.py").write_text("open('pwned', 'w')\n")
    variables = {"HIPIFY_PACKAGE": str(REPOSITORY), "PYTHONPATH": ""}
    if server == "azure":
        text = AZURE_STEPS["Install hipify-py"]["bash"] + '\nPATH="$AGENT_TEMPDIRECTORY/hipify-py/bin:$PATH"\n'
        variables["AGENT_TEMPDIRECTORY"] = str(tmp_path / "agent")
    elif server == "jenkins":
        text = JENKINS_TEXTS[0] + '\nPATH="$WORKSPACE_TMP/hipify-py/bin:$PATH"\n'
        variables["WORKSPACE_TMP"] = str(tmp_path / "agent")
    else:
        job = documents(REPOSITORY / "integrations" / "gitlab" / "hipify-py.yml")[1]["hipify-py"]
        text = "\n".join(job["before_script"]).replace("/tmp/hipify-py", str(tmp_path / "agent" / "hipify-py"))
    done = shell(text + "\ncommand -v hipify-py\nhipify-py check src", variables, "sh", "-e")
    assert done.returncode == 1, done.stderr
    assert f"{tmp_path}/agent/hipify-py/bin/hipify-py\n" in done.stdout
    assert "HIP101" in done.stdout
    assert not (project / "pwned").exists()
