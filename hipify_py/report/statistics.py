"""How many findings of each kind a run has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hipify_py.catalog import load_catalog
from hipify_py.report.run_report import RunReport


def statistics(report: RunReport) -> Iterator[str]:
    """A line for each kind of findings and severity, the most frequent first: `12  error  HIP101  its title`."""
    counts = Counter((finding.id, finding.severity) for finding in report.findings)
    counts.update((finding.id, finding.severity) for finding in report.failures)
    width = max(map(len, map(str, counts.values())), default=0)
    catalog = load_catalog()
    for (id, severity), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:{width}}  {severity:7}  {id}  {catalog.diagnostic(id).title}"
