// A thin stand-in for the module `vscode`: what the controller uses, with a record of what it has asked for.

import type * as real from "vscode";

export class Uri {
    private constructor(
        readonly scheme: string,
        readonly path: string,
        readonly query: string,
    ) {}

    static from(parts: { scheme: string; path?: string; query?: string }): Uri {
        return new Uri(parts.scheme, parts.path ?? "", parts.query ?? "");
    }

    static parse(text: string): Uri {
        const [, scheme = "", rest = "", query = ""] = /^([\w-]+):(?:\/\/)?([^?]*)(?:\?(.*))?$/.exec(text) ?? [];
        return new Uri(scheme, decodeURIComponent(rest), decodeURIComponent(query));
    }

    toString(): string {
        const path = this.path.split("/").map(encodeURIComponent).join("/");
        const authority = this.scheme === "file" ? "//" : "";
        return `${this.scheme}:${authority}${path}${this.query && `?${encodeURIComponent(this.query)}`}`;
    }
}

export class EventEmitter<T> {
    private readonly listeners = new Set<(value: T) => void>();
    readonly event = (listener: (value: T) => void): { dispose(): void } => {
        this.listeners.add(listener);
        return { dispose: () => this.listeners.delete(listener) };
    };
    fire(value: T): void {
        this.listeners.forEach((listener) => listener(value));
    }
    dispose(): void {
        this.listeners.clear();
    }
}

export const StatusBarAlignment = { Left: 1, Right: 2 };

/** What has happened, and what the user does. */
export const state = {
    settings: {} as Record<string, unknown>,
    executed: [] as unknown[][],
    messages: [] as string[],
    choice: undefined as string | undefined,
    clipboard: "",
    registered: new Map<string, (...args: unknown[]) => unknown>(),
    providers: new Map<string, real.TextDocumentContentProvider>(),
    status: { text: "", tooltip: "", isShown: false },
    closing: new EventEmitter<{ uri: Uri }>(),
    configuring: new EventEmitter<{ affectsConfiguration(key: string): boolean }>(),
    switching: new EventEmitter<unknown>(),
};

/** Begin anew. */
export function reset(): void {
    Object.assign(state, { settings: {}, executed: [], messages: [], choice: undefined, clipboard: "" });
    state.registered.clear();
    state.providers.clear();
    Object.assign(state.status, { text: "", tooltip: "", isShown: false });
    window.activeTextEditor = undefined;
    [state.closing, state.configuring, state.switching].forEach((emitter) => emitter.dispose());
}

/** Make a document the one in the active editor. */
export function activate(uri: Uri | undefined): void {
    window.activeTextEditor = uri && { document: { uri } };
    state.switching.fire(undefined);
}

export const window = {
    activeTextEditor: undefined as { document: { uri: Uri } } | undefined,
    onDidChangeActiveTextEditor: state.switching.event,
    createStatusBarItem: () => ({
        set text(text: string) {
            state.status.text = text;
        },
        set tooltip(tooltip: string) {
            state.status.tooltip = tooltip;
        },
        show: () => (state.status.isShown = true),
        hide: () => (state.status.isShown = false),
        dispose: () => undefined,
    }),
    showWarningMessage: async (message: string) => {
        state.messages.push(message);
        return state.choice;
    },
};

export const workspace = {
    workspaceFolders: undefined,
    onDidCloseTextDocument: state.closing.event,
    onDidChangeConfiguration: state.configuring.event,
    registerTextDocumentContentProvider: (scheme: string, provider: real.TextDocumentContentProvider) => {
        state.providers.set(scheme, provider);
        return { dispose: () => undefined };
    },
    getConfiguration: () => ({ get: (key: string, otherwise?: unknown) => state.settings[key] ?? otherwise }),
};

export const commands = {
    registerCommand: (name: string, work: (...args: unknown[]) => unknown) => {
        state.registered.set(name, work);
        return { dispose: () => undefined };
    },
    executeCommand: async (...words: unknown[]) => {
        state.executed.push(words);
    },
};

export const env = { clipboard: { writeText: async (text: string) => void (state.clipboard = text) } };
