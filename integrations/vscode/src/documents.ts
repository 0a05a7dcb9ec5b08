// The documents that the extension makes: the translation of a source, and the report on it.

import * as vscode from "vscode";

/** The scheme of these documents. */
export const SCHEME = "hipify-py";

export type Kind = "translation" | "report";

/** Asks the server for the text of a document of that kind about the source with that URI. */
export type Ask = (kind: Kind, source: string) => Promise<string>;

/** The URI of a document about a source; its path ends so that VS Code knows the language. */
export function documentUri(source: vscode.Uri, kind: Kind): vscode.Uri {
    const path = source.path.startsWith("/") ? source.path : `/${source.path}`;
    return vscode.Uri.from({
        scheme: SCHEME,
        path: kind === "report" ? `${path}.md` : path,
        query: `${kind}=${encodeURIComponent(source.toString())}`,
    });
}

/** The source that a document is about, and the document's kind; undefined for a URI that is not one of ours. */
export function sourceOf(uri: vscode.Uri): { kind: Kind; source: string } | undefined {
    const [, kind, source] = /^(translation|report)=(.+)$/.exec(uri.query) ?? [];
    if (uri.scheme !== SCHEME || !kind || !source) {
        return undefined;
    }
    return { kind: kind as Kind, source: decodeURIComponent(source) };
}

/** Provides the texts of the documents, and says when one is out of date. */
export class DocumentProvider implements vscode.TextDocumentContentProvider {
    private readonly changes = new vscode.EventEmitter<vscode.Uri>();
    private readonly shown = new Map<string, vscode.Uri>();
    readonly onDidChange = this.changes.event;

    constructor(private readonly ask: Ask) {}

    async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
        const about = sourceOf(uri);
        if (!about) {
            throw new Error(`${uri.toString()} is not about a source`);
        }
        this.shown.set(uri.toString(), uri);
        return this.ask(about.kind, about.source);
    }

    /** Have the documents about a source read again. */
    refresh(source: string): void {
        for (const uri of this.shown.values()) {
            if (sourceOf(uri)?.source === source) {
                this.changes.fire(uri);
            }
        }
    }

    /** Forget a document that VS Code has closed. */
    closed(uri: vscode.Uri): void {
        this.shown.delete(uri.toString());
    }

    dispose(): void {
        this.changes.dispose();
    }
}
