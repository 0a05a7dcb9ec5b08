import assert from "node:assert/strict";
import { test } from "node:test";
import type { Coverage } from "../src/protocol";
import { statusOf } from "../src/status";

const coverage = (parts: Partial<Coverage>): Coverage => ({
    uri: "file:///a.cu",
    version: 1,
    converted: 0,
    native: 0,
    unsupported: 0,
    unknown: 0,
    inactive: 0,
    total: 0,
    coverage: 1,
    findings: {},
    ...parts,
});

test("a file with something left", () => {
    const some = coverage({ converted: 998, unsupported: 1, total: 999, coverage: 0.9999, findings: { error: 1, note: 2 } });
    const { text, tooltip } = statusOf(some);
    assert.equal(text, "HIP 99.9 % $(error) 1 $(info) 2");
    assert.match(tooltip, /999 CUDA references: 998 converted, 0 native, 1 unsupported, 0 unknown\. /);
});

test("100 % only where nothing is left", () => {
    assert.equal(statusOf(coverage({ native: 1, total: 1 })).text, "HIP 100 %");
    assert.match(statusOf(coverage({ native: 1, total: 1 })).tooltip, /1 CUDA reference: /);
    assert.match(statusOf(coverage({ inactive: 1, total: 1 })).tooltip, /1 not compiled for AMD GPUs/);
});

test("a file without CUDA", () => assert.equal(statusOf(coverage({})).text, "HIP: no CUDA"));
