// What the status bar says. Nothing here needs VS Code.

import type { Coverage } from "./protocol";

/** What the status bar shows about a document. */
export interface Status {
    text: string;
    tooltip: string;
}

/** The coverage of a document for the status bar. */
export function statusOf(coverage: Coverage): Status {
    const { error = 0, warning = 0, note = 0 } = coverage.findings;
    const text = coverage.total ? `HIP ${percent(coverage.coverage)}` : "HIP: no CUDA";
    const marks = [mark("error", error), mark("warning", warning), mark("info", note)].filter(Boolean);
    const references = [
        counted(coverage.converted, "converted"),
        counted(coverage.native, "native"),
        counted(coverage.unsupported, "unsupported"),
        counted(coverage.unknown, "unknown"),
        coverage.inactive ? counted(coverage.inactive, "not compiled for AMD GPUs") : "",
    ].filter(Boolean);
    const plural = coverage.total === 1 ? "reference" : "references";
    return {
        text: [text, ...marks].join(" "),
        tooltip: `hipify-py: ${coverage.total} CUDA ${plural}: ${references.join(", ")}. Click for the report.`,
    };
}

/** A share in percent: 100 % only if nothing is left. */
function percent(share: number): string {
    return share === 1 ? "100 %" : `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

function counted(count: number, what: string): string {
    return `${count} ${what}`;
}

function mark(icon: string, count: number): string {
    return count ? `$(${icon}) ${count}` : "";
}
