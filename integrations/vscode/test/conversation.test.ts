// With HIPIFY_PY_TEST_PYTHON, a Python that has hipify-py: the server speaks as the extension expects.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { SERVER_ARGUMENTS } from "../src/interpreter";
import { COVERAGE_NOTIFICATION, SERVER_COMMANDS, type Coverage, type Report, type Translation } from "../src/protocol";
import { statusOf } from "../src/status";

const PYTHON = process.env["HIPIFY_PY_TEST_PYTHON"];
const TEXT = "void f(cublasHandle_t h, void *p) { /* 漢😀 */ cudaFree(p); cublasSetSmCountTarget(h, 1); }\n";

test("a conversation with the server", { skip: PYTHON ? false : "HIPIFY_PY_TEST_PYTHON is not set" }, async () => {
    const server = spawn(PYTHON ?? "", [...SERVER_ARGUMENTS], { stdio: ["pipe", "pipe", "inherit"] });
    const exit = once(server, "exit");
    const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
    const told = new Promise<Coverage>((resolve) => connection.onNotification(COVERAGE_NOTIFICATION, resolve));
    connection.listen();
    const options = { severity: "warning", coverage: true };
    const result = await connection.sendRequest<{ capabilities: { executeCommandProvider: { commands: string[] } } }>(
        "initialize",
        { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: options },
    );
    for (const command of Object.values(SERVER_COMMANDS)) {
        assert.ok(result.capabilities.executeCommandProvider.commands.includes(command), command);
    }
    await connection.sendNotification("initialized", {});
    const uri = "untitled:Untitled-1";
    const textDocument = { uri, languageId: "cuda-cpp", version: 3, text: TEXT };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    const coverage = await told;
    assert.deepEqual([coverage.uri, coverage.version, coverage.unsupported, coverage.findings], [uri, 3, 1, { error: 1 }]);
    assert.match(statusOf(coverage).text, /^HIP \d\d\.\d % \$\(error\) 1$/);

    const run = <Result>(command: string) =>
        connection.sendRequest<Result>("workspace/executeCommand", { command, arguments: [uri] });
    const shown = await run<Translation>(SERVER_COMMANDS.showTranslation);
    assert.match(shown.translation, /hipblasHandle_t h, void \*p\) \{ \/\* 漢😀 \*\/ hipFree\(p\); cublasSetSm/);
    assert.match((await run<Report>(SERVER_COMMANDS.report)).markdown, /CUDA references/);

    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    assert.deepEqual((await exit)[0], 0);
    connection.dispose();
});
