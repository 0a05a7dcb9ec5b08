// Which Python runs the server, and what is missing in it. Nothing here needs VS Code.

/** A Python, and who chose it. */
export interface Interpreter {
    command: string;
    chosenBy: "setting" | "Python extension" | "default";
}

/** The API of the extension ms-python.python, as far as it is used. */
export interface PythonApi {
    environments: {
        getActiveEnvironmentPath(resource?: unknown): { path: string };
        resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: { fsPath: string } | undefined } } | undefined>;
    };
}

const DEFAULT = process.platform === "win32" ? "python" : "python3";

/**
 * The Python that the settings name, or else the one that the Python extension has selected, or else `python3`.
 *
 * A setting comes first: it would have no use wherever the Python extension is installed, as this always selects one.
 */
export async function chooseInterpreter(
    setting: string,
    python: PythonApi | undefined,
    resource?: unknown,
): Promise<Interpreter> {
    if (setting.trim()) {
        return { command: setting.trim(), chosenBy: "setting" };
    }
    if (python) {
        const active = python.environments.getActiveEnvironmentPath(resource);
        const resolved = await python.environments.resolveEnvironment(active);
        const executable = resolved?.executable.uri?.fsPath;
        if (executable) {
            return { command: executable, chosenBy: "Python extension" };
        }
    }
    return { command: DEFAULT, chosenBy: "default" };
}

/** The arguments that start the server. */
export const SERVER_ARGUMENTS: readonly string[] = ["-m", "hipify_py", "lsp"];

const PACKAGES = ["hipify_py", "pygls"];

/** The arguments that have a Python print which of the packages that the server needs it lacks. */
export const PROBE: readonly string[] = [
    "-c",
    `import importlib.util as u; print(*[n for n in ${JSON.stringify(PACKAGES)} if u.find_spec(n) is None])`,
];

/** The end of a process. */
export interface Ended {
    /** The exit status; undefined if the program could not be started. */
    status: number | undefined;
    output: string;
    errors: string;
}

/** What keeps a Python from running the server, in words for the user; undefined if nothing does. */
export function whatIsMissing(interpreter: Interpreter, probe: Ended): string | undefined {
    const who = `${interpreter.command} (${whoChose(interpreter)})`;
    if (probe.status === undefined) {
        return `Python cannot be started: ${who}: ${probe.errors.trim()}`;
    }
    if (probe.status !== 0) {
        return `Python does not work: ${who}: ${lastLine(probe.errors)}`;
    }
    const missing = probe.output.trim().split(/\s+/).filter(Boolean);
    if (missing.includes("hipify_py")) {
        return `hipify-py is not installed for ${who}.`;
    }
    return missing.length ? `hipify-py is installed for ${who}, but without its language server.` : undefined;
}

/** The command line that installs what is missing. */
export function installCommand(interpreter: Interpreter): string {
    const quoted = /^[\w./\\:-]+$/.test(interpreter.command) ? interpreter.command : `"${interpreter.command}"`;
    return `${quoted} -m pip install "hipify-py[lsp]"`;
}

function whoChose(interpreter: Interpreter): string {
    return interpreter.chosenBy === "setting" ? "the setting hipify-py.interpreter" : `the ${interpreter.chosenBy}`;
}

function lastLine(text: string): string {
    return text.trim().split("\n").pop() ?? "";
}
