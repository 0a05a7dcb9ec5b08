// What the server and the extension say to each other beyond the Language Server Protocol. The server's side is
// hipify_py/language_server/commands.py; docs/reference/language-server.md describes it.

/** The commands of the server that the extension runs. */
export const SERVER_COMMANDS = {
    showTranslation: "hipify-py.showTranslation",
    report: "hipify-py.report",
} as const;

/** Sent by the server after each examination of a document. */
export const COVERAGE_NOTIFICATION = "$/hipify-py/coverage";

/** How much of a document is covered, and the findings in it. */
export interface Coverage {
    uri: string;
    version: number;
    converted: number;
    native: number;
    unsupported: number;
    unknown: number;
    inactive: number;
    total: number;
    /** From 0 to 1. */
    coverage: number;
    findings: { error?: number; warning?: number; note?: number };
}

export interface Translation {
    uri: string;
    version: number;
    translation: string;
    diff: string;
}

export interface Report {
    uri: string;
    markdown: string;
}
