// The entry point: connects the controller with processes, the Language Server Protocol and the Python extension.

import { execFile } from "node:child_process";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, TransportKind, type Executable } from "vscode-languageclient/node";
import { Controller, type Client, type Launch } from "./controller";
import type { Ended, PythonApi } from "./interpreter";
import { COVERAGE_NOTIFICATION, type Coverage } from "./protocol";

const LANGUAGES = ["cuda-cpp", "cuda", "cpp", "c", "cmake", "python"];

/** The Python extension, and the event that says that another environment has been selected. */
type PythonExtension = PythonApi & {
    environments: { onDidChangeActiveEnvironmentPath: vscode.Event<unknown> };
};

let controller: Controller | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const output = vscode.window.createOutputChannel("hipify-py");
    context.subscriptions.push(output);
    controller = new Controller({ makeClient: (launch) => makeClient(launch, output), python, run }, output, context.subscriptions);
    await controller.restart();
    const selected = (await python())?.environments.onDidChangeActiveEnvironmentPath;
    if (selected) {
        context.subscriptions.push(selected(() => void controller?.restart()));
    }
}

export async function deactivate(): Promise<void> {
    await controller?.stop();
}

async function python(): Promise<PythonExtension | undefined> {
    const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
    return extension && (extension.isActive ? extension.exports : await extension.activate());
}

/** Where processes run: in the workspace, Python would import what lies there instead of what is installed. */
const options = { cwd: homedir() };

function run(command: string, args: readonly string[]): Promise<Ended> {
    return new Promise((resolve) => {
        execFile(command, [...args], { ...options, timeout: 30_000 }, (error, output, errors) => {
            const status = error === null ? 0 : typeof error.code === "number" ? error.code : undefined;
            resolve({ status, output, errors: errors || (error?.message ?? "") });
        });
    });
}

function makeClient(launch: Launch, output: vscode.OutputChannel): Client {
    const server: Executable = { command: launch.command, args: launch.args, transport: TransportKind.stdio, options };
    const client = new LanguageClient("hipify-py", "hipify-py", server, {
        documentSelector: LANGUAGES.flatMap((language) => ["file", "untitled"].map((scheme) => ({ scheme, language }))),
        initializationOptions: launch.settings,
        synchronize: { configurationSection: "hipify-py" },
        outputChannel: output,
    });
    client.onNotification(COVERAGE_NOTIFICATION, (coverage: Coverage) => launch.onCoverage(coverage));
    return {
        start: () => client.start(),
        stop: () => client.dispose(),
        run: (command, ...args) => client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args }),
    };
}
