import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import {
    chooseInterpreter,
    installCommand,
    PROBE,
    whatIsMissing,
    type Interpreter,
    type PythonApi,
} from "../src/interpreter";

const extension = (executable?: string): PythonApi => ({
    environments: {
        getActiveEnvironmentPath: () => ({ path: "/p/.venv" }),
        resolveEnvironment: async ({ path }) => {
            assert.equal(path, "/p/.venv");
            return { executable: { uri: executable === undefined ? undefined : { fsPath: executable } } };
        },
    },
});
const VENV: Interpreter = { command: "/p/.venv/bin/python", chosenBy: "Python extension" };

test("the setting comes first, then the Python extension, then python3", async () => {
    const python = extension(VENV.command);
    assert.deepEqual(await chooseInterpreter(" /opt/python ", python), { command: "/opt/python", chosenBy: "setting" });
    assert.deepEqual(await chooseInterpreter("", python), VENV);
    const otherwise = { command: process.platform === "win32" ? "python" : "python3", chosenBy: "default" };
    assert.deepEqual(await chooseInterpreter("", extension()), otherwise);
    assert.deepEqual(await chooseInterpreter("", undefined), otherwise);
});

test("what is missing is said with the interpreter and who chose it", () => {
    const ended = (status: number | undefined, output: string, errors = "") => ({ status, output, errors });
    assert.equal(whatIsMissing(VENV, ended(0, "\n")), undefined);
    assert.match(
        whatIsMissing(VENV, ended(0, "hipify_py pygls\n")) ?? "",
        /not installed for \/p\/\.venv\/bin\/python \(the Python extension\)/,
    );
    assert.match(whatIsMissing(VENV, ended(0, "pygls\n")) ?? "", /without its language server/);
    assert.match(whatIsMissing(VENV, ended(1, "", "Traceback\nSyntaxError: x\n")) ?? "", /does not work: .*SyntaxError: x$/);
    assert.match(whatIsMissing(VENV, ended(undefined, "", "ENOENT")) ?? "", /cannot be started: .*ENOENT$/);
});

test("the command to install quotes what it has to", () => {
    assert.equal(installCommand(VENV), '/p/.venv/bin/python -m pip install "hipify-py[lsp]"');
    const spaced: Interpreter = { command: "C:\\Program Files\\python.exe", chosenBy: "default" };
    assert.equal(installCommand(spaced), '"C:\\Program Files\\python.exe" -m pip install "hipify-py[lsp]"');
});

test("a Python understands the question", () => {
    const python = process.env["HIPIFY_PY_TEST_PYTHON"] ?? "python3";
    const printed = execFileSync(python, [...PROBE], { encoding: "utf-8" }).trim();
    assert.match(printed, /^(hipify_py)?( ?pygls)?$/);
});
