import assert from "node:assert/strict";
import { test } from "node:test";
import * as vscode from "vscode";
import { DocumentProvider, documentUri, sourceOf } from "../src/documents";

const SOURCES = ["file:///p/a.cu", "file:///p/a%20b%26c%3Fd%23%E6%BC%A2.cu", "untitled:Untitled-1"];

for (const source of SOURCES) {
    test(`the URIs about ${source}`, () => {
        const uri = vscode.Uri.parse(source);
        for (const kind of ["translation", "report"] as const) {
            const made = documentUri(uri, kind);
            assert.deepEqual(sourceOf(made), { kind, source: uri.toString() });
            assert.deepEqual(sourceOf(vscode.Uri.parse(made.toString())), { kind, source: uri.toString() });
            assert.ok(made.path.startsWith("/"));
        }
        assert.ok(documentUri(uri, "report").path.endsWith(".md"));
    });
}

test("other URIs are not ours", () => {
    for (const uri of ["file:///a.cu", "hipify-py:/a.cu", "hipify-py:/a.cu?other=x"]) {
        assert.equal(sourceOf(vscode.Uri.parse(uri)), undefined);
    }
});

test("documents that are shown are read again when their source changes", async () => {
    const source = vscode.Uri.parse(SOURCES[1] ?? "");
    const asked: string[] = [];
    const provider = new DocumentProvider(async (kind, about) => {
        asked.push(`${kind} ${about}`);
        return "text";
    });
    const changed: string[] = [];
    provider.onDidChange((uri) => changed.push(uri.toString()));
    const uri = documentUri(source, "translation");
    provider.refresh(source.toString());
    assert.deepEqual(changed, [], "nothing is shown yet");
    assert.equal(await provider.provideTextDocumentContent(uri), "text");
    assert.deepEqual(asked, [`translation ${source.toString()}`]);
    provider.refresh("file:///other.cu");
    provider.refresh(source.toString());
    assert.deepEqual(changed, [uri.toString()]);
    provider.closed(uri);
    provider.refresh(source.toString());
    assert.equal(changed.length, 1);
    await assert.rejects(provider.provideTextDocumentContent(source));
});
