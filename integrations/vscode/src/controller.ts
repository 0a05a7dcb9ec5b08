// What the user sees: commands, the status bar, the documents beside a source, and messages.

import * as vscode from "vscode";
import { DocumentProvider, documentUri, SCHEME, type Kind } from "./documents";
import {
    chooseInterpreter,
    installCommand,
    PROBE,
    SERVER_ARGUMENTS,
    whatIsMissing,
    type Ended,
    type Interpreter,
    type PythonApi,
} from "./interpreter";
import { SERVER_COMMANDS, type Coverage, type Report, type Translation } from "./protocol";
import { statusOf } from "./status";

/** The running server. */
export interface Client {
    start(): Promise<void>;
    stop(): Promise<void>;
    run<Result>(command: string, ...args: unknown[]): Promise<Result>;
}

/** How a server is started. */
export interface Launch {
    command: string;
    args: string[];
    settings: Record<string, unknown>;
    onCoverage(coverage: Coverage): void;
}

/** What the controller needs from outside: processes, and the other extension. */
export interface World {
    makeClient(launch: Launch): Client;
    python(): Promise<PythonApi | undefined>;
    run(command: string, args: readonly string[]): Promise<Ended>;
}

const SECTION = "hipify-py";
const HAS_COVERAGE = "hipify-py.hasCoverage";

export class Controller {
    readonly output: vscode.OutputChannel;
    private readonly documents: DocumentProvider;
    private readonly status: vscode.StatusBarItem;
    private readonly coverage = new Map<string, Coverage>();
    private client: Client | undefined;
    private starting: Promise<void> = Promise.resolve();

    constructor(
        private readonly world: World,
        output: vscode.OutputChannel,
        subscriptions: vscode.Disposable[],
    ) {
        this.output = output;
        this.documents = new DocumentProvider((kind, source) => this.textOf(kind, source));
        this.status = vscode.window.createStatusBarItem("hipify-py.coverage", vscode.StatusBarAlignment.Right, 90);
        this.status.name = "hipify-py: coverage";
        this.status.command = "hipify-py.openReport";
        subscriptions.push(
            this.documents,
            this.status,
            vscode.workspace.registerTextDocumentContentProvider(SCHEME, this.documents),
            vscode.workspace.onDidCloseTextDocument((document) => this.closed(document)),
            vscode.workspace.onDidChangeConfiguration((event) => this.configured(event)),
            vscode.window.onDidChangeActiveTextEditor(() => this.showStatus()),
            vscode.commands.registerCommand("hipify-py.compareTranslation", (uri?: vscode.Uri) => this.compare(uri)),
            vscode.commands.registerCommand("hipify-py.openReport", (uri?: vscode.Uri) => this.openReport(uri)),
            vscode.commands.registerCommand("hipify-py.restartServer", () => this.restart()),
            vscode.commands.registerCommand("hipify-py.showOutput", () => this.output.show()),
        );
    }

    /** Start the server, after ending the one that runs; one after the other if it is asked for several times. */
    restart(): Promise<void> {
        this.starting = this.starting.then(() => this.startAgain());
        return this.starting;
    }

    async stop(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        this.coverage.clear();
        this.showStatus();
        await client?.stop();
    }

    private async startAgain(): Promise<void> {
        await this.stop();
        const settings = vscode.workspace.getConfiguration(SECTION);
        if (!settings.get<boolean>("enable", true)) {
            this.output.appendLine("hipify-py.enable is off: the server is not started.");
            return;
        }
        const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
        const python = await this.world.python();
        const interpreter = await chooseInterpreter(settings.get<string>("interpreter", ""), python, folder);
        this.output.appendLine(`Python: ${interpreter.command} (chosen by: ${interpreter.chosenBy})`);
        const missing = whatIsMissing(interpreter, await this.world.run(interpreter.command, PROBE));
        if (missing) {
            this.tellHowToInstall(missing, interpreter);
            return;
        }
        const client = this.world.makeClient({
            command: interpreter.command,
            args: [...SERVER_ARGUMENTS],
            settings: { ...settingsOf(settings), coverage: true },
            onCoverage: (coverage) => this.covered(coverage),
        });
        try {
            await client.start();
            this.client = client;
        } catch (error) {
            this.output.appendLine(`The server does not start: ${String(error)}`);
            void this.offer("The server of hipify-py does not start.", { "Show the output": () => this.output.show() });
        }
    }

    private tellHowToInstall(missing: string, interpreter: Interpreter): void {
        const command = installCommand(interpreter);
        this.output.appendLine(missing);
        this.output.appendLine(`How to install it: ${command}`);
        void this.offer(`${missing} How to install it: ${command}`, {
            "Copy the command": () => vscode.env.clipboard.writeText(command),
            "Choose an interpreter": () =>
                vscode.commands.executeCommand("workbench.action.openSettings", "hipify-py.interpreter"),
        });
    }

    private async offer(message: string, choices: Record<string, () => unknown>): Promise<void> {
        const chosen = await vscode.window.showWarningMessage(message, ...Object.keys(choices));
        await (chosen === undefined ? undefined : choices[chosen]?.());
    }

    private configured(event: vscode.ConfigurationChangeEvent): void {
        // The server hears of the other settings itself.
        if (["enable", "interpreter"].some((key) => event.affectsConfiguration(`${SECTION}.${key}`))) {
            void this.restart();
        }
    }

    private covered(coverage: Coverage): void {
        this.coverage.set(coverage.uri, coverage);
        this.documents.refresh(coverage.uri);
        this.showStatus();
    }

    private closed(document: vscode.TextDocument): void {
        this.documents.closed(document.uri);
        this.coverage.delete(document.uri.toString());
        this.showStatus();
    }

    private showStatus(): void {
        const active = vscode.window.activeTextEditor?.document.uri.toString();
        const coverage = active === undefined ? undefined : this.coverage.get(active);
        if (coverage) {
            const { text, tooltip } = statusOf(coverage);
            this.status.text = text;
            this.status.tooltip = tooltip;
            this.status.show();
        } else {
            this.status.hide();
        }
        void vscode.commands.executeCommand("setContext", HAS_COVERAGE, coverage !== undefined);
    }

    private async compare(uri?: vscode.Uri): Promise<void> {
        const source = this.sourceFor(uri);
        if (source) {
            const title = `${source.path.split("/").pop()}: CUDA ↔ HIP`;
            await vscode.commands.executeCommand("vscode.diff", source, documentUri(source, "translation"), title);
        }
    }

    private async openReport(uri?: vscode.Uri): Promise<void> {
        const source = this.sourceFor(uri);
        if (source) {
            await vscode.commands.executeCommand("markdown.showPreviewToSide", documentUri(source, "report"));
        }
    }

    /** The source that a command is about: the one given, or the one in the active editor. */
    private sourceFor(uri?: vscode.Uri): vscode.Uri | undefined {
        const source = uri ?? vscode.window.activeTextEditor?.document.uri;
        if (source && this.coverage.has(source.toString())) {
            return source;
        }
        void this.offer("hipify-py has not examined a file in the active editor.", {
            "Show the output": () => this.output.show(),
        });
        return undefined;
    }

    private async textOf(kind: Kind, source: string): Promise<string> {
        if (!this.client) {
            throw new Error("the server of hipify-py is not running");
        }
        return kind === "report"
            ? (await this.client.run<Report>(SERVER_COMMANDS.report, source)).markdown
            : (await this.client.run<Translation>(SERVER_COMMANDS.showTranslation, source)).translation;
    }
}

/** The settings that the server takes. */
export function settingsOf(settings: vscode.WorkspaceConfiguration): Record<string, unknown> {
    const keys = ["arguments", "rocm", "severity", "documentation"];
    return Object.fromEntries(keys.map((key) => [key, settings.get(key)]).filter(([, value]) => value !== undefined));
}
