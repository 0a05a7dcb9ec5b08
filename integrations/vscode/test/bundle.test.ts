// The bundle as VS Code loads it, with the real client library: against the server, where HIPIFY_PY_TEST_PYTHON names a
// Python that has hipify-py. Of `vscode` there is only what the library touches on its way to the first diagnostics.

import assert from "node:assert/strict";
import Module from "node:module";
import { resolve } from "node:path";
import { test } from "node:test";

const PYTHON = process.env["HIPIFY_PY_TEST_PYTHON"];
const TEXT = "void f(cublasHandle_t h) { cublasSetSmCountTarget(h, 1); }\n";

type Listener = (value: unknown) => void;

/** A class or a namespace of enumerators: whatever is asked of it exists, and constructors keep their arguments. */
function anything(name: string): unknown {
    class Anything {
        constructor(...args: unknown[]) {
            Object.assign(this, args.length === 1 ? { value: args[0] } : { args });
        }
    }
    return new Proxy(Anything, {
        get: (target, key, receiver) =>
            key in target ? Reflect.get(target, key, receiver) : `${name}.${String(key)}`,
    });
}

/** A part of the API: what is given, events that never come, and functions that do nothing. */
function part(given: Record<string, unknown>): unknown {
    const nothing = { dispose: () => undefined };
    return new Proxy(given, {
        get: (target, key) => (key in target ? target[String(key)] : (..._args: unknown[]) => nothing),
    });
}

class Uri {
    constructor(readonly text: string) {}
    static parse = (text: string) => new Uri(text);
    static file = (path: string) => new Uri(`file://${path}`);
    get scheme() {
        return this.text.split(":")[0];
    }
    get path() {
        return this.text.split(":")[1];
    }
    toString = () => this.text;
}

interface Extension {
    activate(context: unknown): Promise<void>;
    deactivate(): Promise<void>;
}

interface Shown {
    uri: string;
    diagnostics: unknown[];
}

/** The module `vscode` with one open document. */
function vscode(shown: (found: Shown) => void, settings: Record<string, unknown>): unknown {
    const document = {
        uri: Uri.parse("untitled:Untitled-1"),
        languageId: "cuda-cpp",
        version: 1,
        getText: () => TEXT,
        isClosed: false,
    };
    const channel = part({ appendLine: () => undefined, append: () => undefined });
    const status = { show: () => undefined, hide: () => undefined, dispose: () => undefined };
    class EventEmitter {
        private readonly listeners = new Set<Listener>();
        event = (listener: Listener) => {
            this.listeners.add(listener);
            return { dispose: () => this.listeners.delete(listener) };
        };
        fire = (value: unknown) => this.listeners.forEach((listener) => listener(value));
        dispose = () => this.listeners.clear();
    }
    class Disposable {
        constructor(readonly dispose: () => void) {}
        static from = (...parts: { dispose(): void }[]) => new Disposable(() => parts.forEach((each) => each.dispose()));
    }
    class CancellationTokenSource {
        token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable(() => undefined) };
        cancel = () => undefined;
        dispose = () => undefined;
    }
    class TabInputText {
        constructor(readonly uri: Uri) {}
    }
    const kind = { append: () => kind };
    const given: Record<string, unknown> = {
        CodeActionKind: { Empty: kind, QuickFix: kind },
        version: "1.90.0",
        Uri,
        EventEmitter,
        Disposable,
        CancellationTokenSource,
        TabInputText,
        env: part({ language: "en", appName: "test" }),
        extensions: part({ getExtension: () => undefined }),
        commands: part({ executeCommand: async () => undefined }),
        window: part({
            createOutputChannel: () => channel,
            createStatusBarItem: () => status,
            showErrorMessage: async () => undefined,
            showWarningMessage: async () => undefined,
            activeTextEditor: { document },
            visibleTextEditors: [{ document }],
            tabGroups: part({ all: [{ tabs: [{ input: new TabInputText(document.uri) }] }] }),
        }),
        workspace: part({
            textDocuments: [document],
            notebookDocuments: [],
            workspaceFolders: undefined,
            createFileSystemWatcher: () => part({}),
            getConfiguration: () => ({ get: (key: string, otherwise?: unknown) => settings[key] ?? otherwise }),
        }),
        languages: part({
            match: (_selector: unknown, about: unknown) => (about === document ? 10 : 0),
            createDiagnosticCollection: () => ({
                set: (uri: Uri, diagnostics: unknown[] = []) => shown({ uri: uri.toString(), diagnostics }),
                delete: () => undefined,
                clear: () => undefined,
                dispose: () => undefined,
            }),
        }),
    };
    // As a prototype, since bundlers copy the properties that a module has itself.
    const rest = new Proxy({} as Record<string, unknown>, {
        get: (made, key) => (made[String(key)] ??= anything(String(key))),
    });
    return Object.setPrototypeOf(given, rest);
}

test("the bundle brings diagnostics", { skip: PYTHON ? false : "HIPIFY_PY_TEST_PYTHON is not set" }, async () => {
    let stand: unknown;
    const found = new Promise<Shown>((done) => {
        stand = vscode((shown) => shown.diagnostics.length && done(shown), { interpreter: PYTHON });
    });
    const loader = Module as unknown as { _load: (name: string, ...more: unknown[]) => unknown };
    const load = loader._load;
    loader._load = (name, ...more) => (name === "vscode" ? stand : load.call(Module, name, ...more));
    try {
        const { activate, deactivate } = Module.createRequire(__filename)(resolve("out/extension.js")) as Extension;
        await activate({ subscriptions: [] });
        const { uri, diagnostics } = await found;
        assert.equal(uri, "untitled:Untitled-1");
        assert.equal(diagnostics.length, 1);
        assert.match(JSON.stringify(diagnostics[0]), /cublasSetSmCountTarget \(cublas\) has no HIP counterpart/);
        await deactivate();
    } finally {
        loader._load = load;
    }
});
