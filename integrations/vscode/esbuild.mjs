// Bundles the extension into out/extension.js; with --tests, the tests into out/test/, with a stand-in for `vscode`.

import * as esbuild from "esbuild";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);

/** The licenses of the packages that some files belong to, which the bundle has to bring along. */
function notices(files) {
    const folders = files.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean);
    const texts = [...new Set(folders)].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8"));
        const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
        if (!file) {
            throw new Error(`${name} has no license file`);
        }
        return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf-8").trim()}\n`;
    });
    return ["hipify-py.vsix contains these packages:\n", ...texts].join("\n");
}

const common = {
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node18",
    logLevel: "warning",
};

if (process.argv.includes("--tests")) {
    rmSync("out/test", { recursive: true, force: true });
    const names = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
    await esbuild.build({
        ...common,
        entryPoints: names.map((name) => join("test", name)),
        outdir: "out/test",
        sourcemap: "inline",
        alias: { vscode: "./test/stand_in.ts" },
    });
} else {
    const { metafile } = await esbuild.build({
        ...common,
        entryPoints: ["src/extension.ts"],
        outfile: "out/extension.js",
        minify: process.argv.includes("--minify"),
        external: ["vscode"],
        metafile: true,
    });
    writeFileSync("out/THIRD_PARTY_NOTICES.txt", notices(Object.keys(metafile.inputs)));
}
