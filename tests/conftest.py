"""What every test needs: a catalog cache of the run's own, and an environment that does not change what is said.

The workers of one run (pytest-xdist) share that cache: the controlling process makes it and takes it away, and they
inherit its path. `CI` and the variables for colour are taken out of the environment, for the program heeds them; tests
that are about them set them.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from hipify_py.catalog import load_catalog
from tests.corpus_translations import CorpusTranslations, session_folder

_usual = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", _usual, derandomize=True)
settings.register_profile("other", _usual)
# A failure is about the change that is tested, not about luck; `HYPOTHESIS_PROFILE=other` draws other examples each time.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# jsonschema would load its grammars of IRIs, which no schema here uses, for seconds in each process.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

for _variable in ("CI", "NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(_variable, None)

# What tests see does not depend on which ROCm is installed; those that are about it set this themselves.
os.environ["HIPIFY_PY_ROCM"] = "newest"

# Nor on whether libclang and CUDA's headers are there.
os.environ["HIPIFY_PY_SEMANTICS"] = "off"

_IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
if not _IS_WORKER:
    os.environ["HIPIFY_PY_CACHE_DIR"] = tempfile.mkdtemp(prefix="hipify-py-tests-")
    load_catalog()  # compiles the tables once for all workers
_CACHE = os.environ["HIPIFY_PY_CACHE_DIR"]


SLOW = (
    "agent_server/test_server.py",
    "benchmarks",
    "build_systems/test_dual.py",
    "build_systems/test_fuzz.py",
    "build_systems/test_fuzz_python.py",
    "builds",
    "catalog/test_compiled.py",
    "cli/test_cluster_option.py",
    "cli/test_bad_input.py::test_one_line_of_50_megabytes",
    "cli/test_completion.py",
    "cli/test_doctor_command.py",
    "cli/test_mappings_command.py",
    "cli/test_pre_commit.py",
    "cli/test_progress.py",
    "cli/test_to_cuda_header.py",
    "compile/test_syntax.py",
    "corpus",
    "docs",
    "frontend/test_parsing.py",
    "headers/test_fetch.py",
    "integrations",
    "language_server/test_actions_and_views.py",
    "language_server/test_command.py",
    "language_server/test_conversations.py",
    "language_server/test_projects.py",
    "language_server/test_versions.py",
    "libclang",
    "mappings/test_tables.py::test_the_tables_have_their_form",
    "nvcc_compat/test_builtins.py",
    "nvcc_compat/test_to_cuda.py::test_headers_of_one_rocm",
    "project/cluster",
    "project/results_cache",
    "project/test_clang_session.py",
    "project/test_config_schema.py",
    "project/test_prefetch_pool.py",
    "project/test_query_pool.py",
    "project/test_run.py",
    "project/test_worker_pool.py",
    "ptx/test_ptx_tables.py::test_a_truth_table",
    "report/test_html_in_a_browser.py",
    "report/test_query.py::test_documents_are_as_their_schema_says",
    "robustness",
    "rules/test_arguments.py::test_edits_beside_each_other",
    "rules/test_gates.py",
    "survey",
    "tables",
    "test_large_inputs.py",
    "test_properties.py",
    "tools",
)
"""Below this folder, tests that start processes, parse with libclang, draw examples, or check every row of the tables."""
NIGHTLY = (
    "benchmarks",
    "build_systems/test_debian.py",
    "build_systems/test_fuzz.py",
    "build_systems/test_fuzz_python.py",
    "docs/test_site.py",
    "integrations/test_examples.py",
    "integrations/test_github_action.py",
    "libclang/test_openings.py",
    "nvcc_compat/test_native_source.py",
    "project/cluster",
    "report/test_html_in_a_browser.py",
    "robustness",
    "support_header/test_sections_compile.py::test_a_section_compiles_with_nvcc",
    "survey/test_survey.py",
    "test_large_inputs.py",
    "tools/test_release.py",
)
"""Those that measure growth, kill processes, install, or compile for nvcc: what they test changes seldom."""
MEASURES = re.compile(r"linear|grows|takes_time|hundred_thousand|one_go")
"""In the names of tests that measure how time grows, or that take a lot of input: they are slow as well."""
_HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow and nightly tests by their files, before others choose by the marks."""
    for item in items:
        name = f"{item.path.relative_to(_HERE).as_posix()}::{item.name}"
        measures = MEASURES.search(name.partition("[")[0])
        if name.startswith(NIGHTLY) or measures:
            item.add_marker(pytest.mark.nightly)
        if name.startswith((*SLOW, *NIGHTLY)) or measures:
            item.add_marker(pytest.mark.slow)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take the run's cache away."""
    if not _IS_WORKER:
        shutil.rmtree(_CACHE, ignore_errors=True)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> CorpusTranslations:
    """The corpus in HIP, translated once a session, source by source, as tests ask for it."""
    return CorpusTranslations(session_folder(tmp_path_factory.getbasetemp()) / "corpus-translations")


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """The connection to a cluster of two worker processes, started once for all tests of one process."""
    from hipify_py.project.cluster.connection import local_cluster

    told: list[str] = []
    with local_cluster(2, "2GiB", told.append) as connection:
        assert told[0].startswith("dashboard: http://127.0.0.1:")
        yield connection


@pytest.fixture
def mortals() -> Iterator[Any]:
    """The connection to a cluster whose workers may be killed; some of them may not come back."""
    from hipify_py.project.cluster.connection import local_cluster

    with local_cluster(2, "2GiB", lambda line: None) as connection:
        yield connection
