import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import * as vscode from "vscode";
import { Controller, type Launch, type World } from "../src/controller";
import { documentUri, SCHEME } from "../src/documents";
import { SERVER_COMMANDS, type Coverage } from "../src/protocol";
import { activate, reset, state } from "./stand_in";

const SOURCE = vscode.Uri.parse("file:///p/a.cu");
const COVERAGE: Coverage = {
    uri: SOURCE.toString(),
    version: 1,
    converted: 1,
    native: 0,
    unsupported: 1,
    unknown: 0,
    inactive: 0,
    total: 2,
    coverage: 0.5,
    findings: { error: 1 },
};

class Server implements World {
    launches: Launch[] = [];
    asked: unknown[][] = [];
    running = 0;
    missing = "";
    fails = false;

    makeClient = (launch: Launch) => {
        this.launches.push(launch);
        return {
            start: async () => {
                if (this.fails) {
                    throw new Error("broken");
                }
                this.running += 1;
            },
            stop: async () => void (this.running -= 1),
            run: async <Result>(command: string, ...args: unknown[]) => {
                this.asked.push([command, ...args]);
                return { translation: "hip", markdown: "# Report" } as Result;
            },
        };
    };
    python = async () => undefined;
    run = async () => ({ status: 0, output: this.missing, errors: "" });
}

let server: Server;
let controller: Controller;
let lines: string[];

beforeEach(() => {
    reset();
    server = new Server();
    lines = [];
    const output = { appendLine: (line: string) => lines.push(line), show: () => lines.push("(shown)") };
    controller = new Controller(server, output as unknown as vscode.OutputChannel, []);
});

const run = (name: string, ...args: unknown[]) => state.registered.get(`hipify-py.${name}`)?.(...args);

test("the server gets the settings", async () => {
    state.settings = { rocm: "6.4", severity: "warning", arguments: ["--experimental"], interpreter: "/opt/python" };
    await controller.restart();
    const [launch] = server.launches;
    assert.equal(launch?.command, "/opt/python");
    assert.deepEqual(launch.args, ["-m", "hipify_py", "lsp"]);
    const wanted = { rocm: "6.4", severity: "warning", arguments: ["--experimental"], coverage: true };
    assert.deepEqual(launch.settings, wanted);
});

test("restarts end the server that runs, also when several are asked for at once", async () => {
    await Promise.all([controller.restart(), controller.restart(), run("restartServer")]);
    assert.equal(server.launches.length, 3);
    assert.equal(server.running, 1);
    state.configuring.fire({ affectsConfiguration: (key) => key === "hipify-py.rocm" });
    state.configuring.fire({ affectsConfiguration: (key) => key === "hipify-py.interpreter" });
    await controller.restart();
    assert.equal(server.launches.length, 5);
    await controller.stop();
    assert.equal(server.running, 0);
});

test("nothing starts where it is turned off", async () => {
    state.settings = { enable: false };
    await controller.restart();
    assert.deepEqual(server.launches, []);
});

test("a missing server is told, with how to install it", async () => {
    server.missing = "hipify_py pygls";
    state.choice = "Copy the command";
    await controller.restart();
    assert.deepEqual(server.launches, []);
    assert.match(state.messages[0] ?? "", /not installed for .*pip install "hipify-py\[lsp\]"/);
    await new Promise(setImmediate);
    assert.match(state.clipboard, /-m pip install "hipify-py\[lsp\]"$/);
});

test("a server that does not start is told", async () => {
    server.fails = true;
    state.choice = "Show the output";
    await controller.restart();
    assert.deepEqual(state.messages, ["The server of hipify-py does not start."]);
    await new Promise(setImmediate);
    assert.ok(lines.includes("(shown)"));
});

test("the status bar shows the active file", async () => {
    await controller.restart();
    activate(SOURCE);
    assert.equal(state.status.isShown, false);
    server.launches[0]?.onCoverage(COVERAGE);
    assert.deepEqual([state.status.isShown, state.status.text], [true, "HIP 50.0 % $(error) 1"]);
    assert.deepEqual(state.executed.at(-1), ["setContext", "hipify-py.hasCoverage", true]);
    activate(vscode.Uri.parse("file:///p/b.py"));
    assert.equal(state.status.isShown, false);
    activate(SOURCE);
    assert.equal(state.status.isShown, true);
    state.closing.fire({ uri: SOURCE as never });
    assert.equal(state.status.isShown, false);
});

test("the translation is shown beside the source, and is read again after an edit", async () => {
    await controller.restart();
    activate(SOURCE);
    server.launches[0]?.onCoverage(COVERAGE);
    await run("compareTranslation");
    const shown = documentUri(SOURCE, "translation");
    assert.deepEqual(state.executed.at(-1), ["vscode.diff", SOURCE, shown, "a.cu: CUDA ↔ HIP"]);
    const provider = state.providers.get(SCHEME);
    assert.equal(await provider?.provideTextDocumentContent(shown, undefined as never), "hip");
    assert.deepEqual(server.asked, [[SERVER_COMMANDS.showTranslation, SOURCE.toString()]]);
    const changed: string[] = [];
    provider?.onDidChange?.((uri) => changed.push(uri.toString()));
    server.launches[0]?.onCoverage({ ...COVERAGE, version: 2 });
    assert.deepEqual(changed, [shown.toString()]);
});

test("a click shows the report", async () => {
    await controller.restart();
    activate(SOURCE);
    server.launches[0]?.onCoverage(COVERAGE);
    await run("openReport");
    const shown = documentUri(SOURCE, "report");
    assert.deepEqual(state.executed.at(-1), ["markdown.showPreviewToSide", shown]);
    assert.equal(await state.providers.get(SCHEME)?.provideTextDocumentContent(shown, undefined as never), "# Report");
});

test("commands about no file say so", async () => {
    await controller.restart();
    await run("compareTranslation");
    await run("openReport");
    assert.equal(state.messages.length, 2);
});

test("package.json contributes the commands that are registered, and no command of the server", () => {
    const manifest = JSON.parse(readFileSync("package.json", "utf-8"));
    const contributed = manifest.contributes.commands.map((each: { command: string }) => each.command);
    assert.deepEqual(contributed.sort(), [...state.registered.keys()].sort());
    for (const command of Object.values(SERVER_COMMANDS)) {
        assert.ok(!contributed.includes(command), "the client registers the server's commands itself");
    }
});
