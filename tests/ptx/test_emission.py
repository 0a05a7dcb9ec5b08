"""What inline PTX becomes."""

from __future__ import annotations

import pytest

from hipify_py.core.options import Options
from hipify_py.core.translation import Translation
from hipify_py.translator.translate import translate


def run(body: str, options: Options | None = None) -> Translation:
    source = "#include <hip/hip_runtime.h>\n" + body
    return translate(source, path="a.cu", **({"options": options} if options else {}))


def body_of(statement: str, declarations: str = "unsigned r, x, y, z; float f, g; float* p;") -> str:
    """What a statement in a function becomes, without the function."""
    output = run(f"__device__ void k() {{ {declarations}\n{statement}\n}}").output.decode()
    return output.partition(declarations)[2].strip().removesuffix("}").strip()


ONE = [
    ('asm("mov.u32 %0, %%laneid;" : "=r"(r));', "r = __lane_id() & 31;"),
    ('asm volatile("mov.u64 %0, %%clock64;" : "=l"(t));', "t = clock64();"),
    ('asm("brev.b32 %0, %1;" : "=r"(r) : "r"(x + 1));', "r = __brev(x + 1);"),
    ('asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y * 2));', "r = x + static_cast<unsigned>(y * 2);"),
    ('asm("bfe.u32 %[d], %[a], 4, 8;" : [d] "=r"(r) : [a] "r"(x));', "r = hipify::bfe(x, 4, 8);"),
    ('asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(x), "r"(y), "r"(z));', "r = x ^ y ^ z;"),
    ('asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x), "r"(y), "r"(z), "n"(0xea));', "r = (x & y) | z;"),
    (
        'asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x), "r"(y), "r"(z), "n"(lut));',
        "r = hipify::lop3<lut>(x, y, z);",
    ),
    ('asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(r) : "r"(x), "r"(y));', "r = __byte_perm(x, y, 0x5410);"),
    ('asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));', "r = hipify::prmt(x, y, z);"),
    ('asm("shl.b32 %0, %1, 3;" : "=r"(r) : "r"(x));', "r = x << 3;"),
    ('asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));', "r = y < 32 ? x << y : 0;"),
    ('asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));', "r = static_cast<int>(x) >> min(y, 31u);"),
    ('asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f) : "f"(g * 2));', "f = exp2f(g * 2);"),
    ('asm("rcp.approx.f32 %0, %1;" : "=f"(f) : "f"(g + 2));', "f = 1.0f / (g + 2);"),
    ('asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(f) : "f"(f), "f"(g));', "f = fmaf(f, g, 1.0f);"),
    ('asm("mov.b32 %0, %1;" : "=r"(r) : "f"(g));', "r = __float_as_uint(g);"),
    ('asm("mov.b32 %0, %1;" : "=f"(f) : "r"(x));', "f = __uint_as_float(x);"),
    ('asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(f) : "l"(p));', "f = *(const float*)p;"),
    (
        'asm volatile("ld.global.cg.f32 %0, [%1+8];" : "=f"(f) : "l"(p + r));',
        "f = *(const volatile float*)((const char*)(p + r) + 8);",
    ),
    ('asm("ld.global.cs.nc.f32 {%0}, [%1];" : "=f"(f) : "l"(p));', "f = *(const float*)p;"),
    ('asm volatile("st.global.wt.f32 [%0], %1;" :: "l"(p), "f"(g) : "memory");', "*(float*)p = g;"),
    ('asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(r) : "l"(p));', "r = *(volatile unsigned*)p;"),
    (
        'asm volatile("st.global.v2.f32 [%0], {%1, %2};" :: "l"(p), "f"(f), "f"(g));',
        "*(float2*)p = make_float2(f, g);",
    ),
    (
        'asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(x));',
        "r = *hipify::shared_pointer<const volatile unsigned>(x);",
    ),
    (
        'asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(r) : "l"(p));',
        "r = __hip_atomic_load((const unsigned*)p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);",
    ),
    ('asm volatile("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(g));', "atomicAdd((float*)p, g);"),
    (
        'asm volatile("red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" :: "l"(p), "r"(x));',
        "hipify::atomic_add_f16x2((unsigned*)p, x);",
    ),
    ('asm volatile("membar.gl;" ::: "memory");', "__threadfence();"),
    ('asm volatile("fence.acq_rel.sys;");', "__threadfence_system();"),
    ('asm volatile("bar.sync 0;");', "__syncthreads();"),
    ('asm volatile("trap;");', "__builtin_trap();"),
    (
        'asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" :: "r"(x), "l"(p));',
        "hipify::copy_async<16>(hipify::shared_pointer<void>(x), (const void*)p);",
    ),
    ('asm volatile("cp.async.wait_group %0;" :: "n"(N));', "static_cast<void>(0);"),
    (
        'asm("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(x), "r"(8));',
        "r = __shfl_xor(x, 8, 32);",
    ),
    ('asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w) : "r"(x), "r"(y), "l"(w));', None),
]


@pytest.mark.parametrize(("statement", "expected"), ONE)
def test_one_instruction_is_one_statement(statement: str, expected: str | None) -> None:
    if expected is not None:
        assert body_of(statement) == expected


@pytest.mark.parametrize("type", ["uint64_t", "unsigned long", "size_t"])
def test_a_64_bit_type_that_may_be_long_is_cast_for_overloads(type: str) -> None:
    """`hipify::bfe` has overloads for 32 and 64 bits, and `unsigned long` is none of them."""
    text = body_of('asm("bfe.u64 %0, %1, 4, 8;" : "=l"(v) : "l"(v));', f"{type} v;")
    assert text == "v = hipify::bfe((unsigned long long)v, 4, 8);"


@pytest.mark.parametrize(
    ("declarations", "operand"),
    [
        ("typedef unsigned int u32; u32 v;", "v"),
        ("typedef unsigned u32; u32 v;", "v"),
        ("using u32 = unsigned int; using word = u32; word v;", "v"),
        ("unsigned v[3];", "v[1]"),
        ("const unsigned *v;", "*v"),
        ("struct S { unsigned x; }; S v;", "v.x"),
        ("uint32_t v; " + "int w; " * 1000, "v"),
        ("auto v = (unsigned)w;", "v"),
    ],
)
def test_an_operand_whose_declared_type_fits_is_not_cast(declarations: str, operand: str) -> None:
    asm = f'asm("add.u32 %0, %1, 1;" : "=r"({operand}) : "r"({operand}));'
    assert "static_cast" not in body_of(asm, declarations)


@pytest.mark.parametrize(
    "declarations", ["int v;", "struct S { int unsigned_v; }; int v;", "T v;", "{ unsigned v; } int v;", "short v;"]
)
def test_an_operand_of_another_type_is_cast(declarations: str) -> None:
    asm = 'asm("add.u32 %0, %1, 1;" : "=r"(r) : "r"(v));'
    assert "static_cast<unsigned>(v)" in body_of(asm, f"unsigned r; {declarations}")


def test_a_block_reads_before_it_writes() -> None:
    text = body_of(
        'asm("add.cc.u32 %0, %2, %4;\\n\\taddc.u32 %1, %3, %5;" : "=r"(a[0]), "=r"(a[1])\n'
        ' : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));',
        "unsigned a[2], b[2];",
    )
    assert text == (
        "do {\n    unsigned carry;\n    unsigned out0;\n    out0 = __builtin_addc(a[0], b[0], 0u, &carry);\n"
        "    a[1] = a[1] + b[1] + carry;\n    a[0] = out0;\n} while (0);"
    )


def test_predicates_and_declared_registers() -> None:
    text = body_of('asm("{ .reg .pred p;\\n setp.ne.u32 p, %1, 0;\\n @p add.u32 %0, %0, 1; }" : "+r"(r) : "r"(x));')
    assert text == (
        "do {\n    bool p;\n    unsigned out0 = r;\n    p = x != 0u;\n"
        "    if (p) out0 = out0 + 1u;\n    r = out0;\n} while (0);"
    )


def test_an_operand_keeps_the_edits_of_other_rules() -> None:
    source = (
        '#include <cuda_runtime.h>\nvoid f(size_t n) { asm("add.u32 %0, %1, 1;" : "=r"(r) : "r"(cudaMalloc(&p, n))); }'
    )
    assert b"static_cast<unsigned>(hipMalloc(&p, n)) + 1u" in translate(source, path="a.cu").output


def test_it_stands_where_a_statement_can() -> None:
    text = body_of('if (x) asm("vote.sync.any.pred p, q, -1; mov.b32 %0, 1;" : "=r"(r)); else r = 2;')
    assert text.startswith("if (x) asm(")  # p and q are declared nowhere
    text = body_of(
        'if (x) asm("{.reg .b32 t; add.u32 t, %1, 1; mul.lo.u32 %0, t, t;}" : "=r"(r) : "r"(y)); else r = 2;'
    )
    assert text == "if (x) do {\n    unsigned t;\n    t = y + 1u;\n    r = t * t;\n} while (0); else r = 2;"


def test_macro_bodies_go_on_with_backslashes() -> None:
    text = run(
        "#define LOAD(r, p) \\\n"
        '  asm volatile("ld.global.u32 %0, [%1]; add.u32 %0, %0, 1;" \\\n    : "=r"(r) : "l"(p))\nint after;\n'
    ).output.decode()
    assert "#define LOAD(r, p) \\\n  do { \\\n" in text
    assert text.endswith("  } while (0)\nint after;\n")
    assert "(unsigned long long)(p);" in text


@pytest.mark.parametrize(
    ("statement", "id"),
    [
        ('asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0}, {%0}, {%0}, {%0};" : "+r"(r));', "HIP210"),
        (
            'asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r), "=r"(x) : "r"(y));',
            "HIP211",
        ),
        ('asm volatile("wgmma.fence.sync.aligned;");', "HIP212"),
        ('asm volatile("cp.async.bulk.commit_group;");', "HIP213"),
        ('asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(x), "r"(y));', "HIP214"),
        ('asm volatile("barrier.cluster.arrive;");', "HIP215"),
        ('asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));', "HIP215"),
        ('asm volatile("bar.sync %0, 64;" :: "r"(x));', "HIP218"),
        ('asm volatile("bar.sync 1;");', "HIP218"),
        ('asm("ld.global" MODIFIER ".u32 %0, [%1];" : "=r"(r) : "l"(p));', "HIP219"),
        ('asm(INSTRUCTION ".f32 %0, %1;" : "=f"(f) : "f"(g));', "HIP219"),
        ('asm("{ l: bra l; }");', "HIP220"),
        ('asm volatile("exit;");', "HIP220"),
        ('asm volatile("multimem.red.add.f32 [%0], %1;" :: "l"(p), "f"(f));', "HIP223"),
    ],
)
def test_what_has_no_counterpart_stays_with_a_finding(statement: str, id: str) -> None:
    result = run(f"__device__ void k() {{\n{statement}\n}}")
    assert statement in result.output.decode()
    assert [found.id for found in result.findings] == [id]


def test_a_lane_mask_has_32_bits_where_warps_have_32_lanes() -> None:
    source = '__device__ void k() { unsigned m; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m)); }'
    result = translate(source, path="a.cu")
    assert "unsigned m; m = (1u << (__lane_id() & 31)) - 1;" in result.output.decode()
    assert result.findings == []
    result = run(source, Options(fixes=frozenset()))
    assert "unsigned m; m = (1ull << __lane_id()) - 1;" in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP217"]


def test_the_summary_counts_a_statement_of_a_hip_file_as_it_is_written() -> None:
    source = '__device__ void k() { unsigned m; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m)); }'
    kept, unfixed = run(source), run(source, Options(fixes=frozenset()))
    assert (kept.warps.kept, kept.warps.author) == (1, 0)
    assert (unfixed.warps.kept, unfixed.warps.author) == (0, 1)


def test_a_mask_in_a_register_of_the_template() -> None:
    result = run(
        '__device__ void k() { asm("{ .reg .pred p; .reg .b32 m; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 m, p, -1;'
        ' popc.b32 %0, m; }" : "=r"(r) : "r"(x)); }',
        Options(fixes=frozenset()),
    )
    assert "unsigned long long m;" in result.output.decode()
    assert "r = __popc(static_cast<unsigned>(m));" in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP217"]


VOTE = 'asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }" : "=r"(r) : "r"(x));'
SHUFFLE = 'asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, -1;" : "=r"(r) : "r"(x));'


def test_votes_of_the_wavefront_beside_shuffles_of_32_lanes_are_reported() -> None:
    result = run(f"__device__ void k(unsigned x) {{ unsigned r; {SHUFFLE} {VOTE} }}", Options(fixes=frozenset()))
    assert [found.id for found in result.findings] == ["HIP224", "HIP217"]
    result = run(f"__device__ void k(unsigned x) {{ unsigned r; {SHUFFLE} }}")
    assert result.findings == []


@pytest.mark.parametrize(
    ("code", "ids"),
    [
        ("// o[0] = __ballot_sync(~0u, x);\n", []),
        ("/* __activemask() */", []),
        ('printf("__any_sync(%d)", x);', []),
        ("my__ballot_sync(~0u, x);", []),
        ("r += __reduce_add_sync /* all */ (~0u, x);", ["HIP224"]),
    ],
)
def test_votes_in_comments_and_texts_are_none(code: str, ids: list[str]) -> None:
    result = run(f"__device__ void k(unsigned x) {{ unsigned r; {SHUFFLE} {code} }}", Options(fixes=frozenset()))
    assert [found.id for found in result.findings if found.id == "HIP224"] == ids


def test_the_wavefront_fix_keeps_ptx_at_32_lanes() -> None:
    lane = 'asm("mov.u32 %0, %%laneid;" : "=r"(r)); asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));'
    source = f"__device__ void k(unsigned x) {{ unsigned r; {lane} {SHUFFLE} {VOTE} }}"
    result = translate(source, path="a.cu", options=Options(fixes=frozenset({"wavefront"})))
    output = result.output.decode()
    assert "unsigned r; r = __lane_id() & 31; r = (1u << (__lane_id() & 31)) - 1;" in output
    assert "r = __shfl_xor(x, 1, 32);" in output
    assert "r = hipify::warp32::ballot(p);" in output
    assert result.findings == []


@pytest.mark.parametrize(
    ("instruction", "becomes"),
    [
        ("vote.sync.ballot.b32 %0, p, %2;", "r = hipify::warp32::ballot_sync(m, p);"),
        ("vote.sync.all.pred p, p, %2; selp.u32 %0, 1, 0, p;", "p = hipify::warp32::all_sync(m, p) != 0;"),
        ("vote.sync.any.pred p, p, 0xffff; selp.u32 %0, 1, 0, p;", "p = hipify::warp32::any_sync(0xffffu, p) != 0;"),
        ("vote.sync.any.pred p, p, 0xffffffff; selp.u32 %0, 1, 0, p;", "p = hipify::warp32::any(p) != 0;"),
        ("match.any.sync.b32 %0, %1, %2;", "r = hipify::warp32::match_any_sync(m, in1);"),
        ("match.all.sync.b32 %0|p, %1, %2;", "r = hipify::warp32::match_all(m, in1, &p);"),
        ("redux.sync.add.u32 %0, %1, -1;", "r = hipify::warp32::reduce_add_sync(~0u, in1);"),
    ],
)
def test_the_members_of_a_vote_are_the_lanes_of_its_mask(instruction: str, becomes: str) -> None:
    statement = f'asm volatile("{{ .reg .pred p; setp.ne.u32 p, %1, 0; {instruction} }}" : "=r"(r) : "r"(x), "r"(m));'
    result = translate(
        f"__device__ unsigned k(unsigned x, unsigned m) {{ unsigned r; {statement} return r; }}", path="a.cu"
    )
    assert becomes in result.output.decode()
    assert result.findings == []


@pytest.mark.parametrize(
    "opcode", ["mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "ldmatrix.sync.aligned.m8n8.x4.b16"]
)
def test_braces_may_follow_an_opcode_without_a_blank(opcode: str) -> None:
    statement = f'asm volatile("{opcode}" "{{%0,%0}}, {{%1}}, {{%1}}, {{%0}};" : "+r"(r) : "r"(x));'
    found = translate(f"__device__ void k(unsigned x) {{ unsigned r; {statement} }}", path="a.cu").findings
    assert [finding.id for finding in found] == ["HIP210" if opcode.startswith("mma") else "HIP211"]


def test_a_function_does_not_become_a_call_of_itself() -> None:
    source = '__device__ unsigned {}(unsigned x) {{ unsigned r; asm("clz.b32 %0, %1;" : "=r"(r) : "r"(x)); return r; }}'
    own = translate(source.format("__clz"), path="a.cu")
    assert [finding.id for finding in own.findings] == ["HIP201"]
    assert b"asm(" in own.output
    assert b"__clz(" in translate(source.format("clz"), path="a.cu").output


def test_a_volatile_load_is_made_each_time() -> None:
    """A loop that waits for another thread's store never ends where the load moves out of it."""
    assert (
        body_of('asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(r) : "l"(p));') == "r = *(const volatile unsigned*)p;"
    )
    assert body_of('asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(r) : "l"(p));') == "r = *(const unsigned*)p;"
    assert body_of('asm("ld.global.cg.u32 %0, [%1];" : "=r"(r) : "l"(p));') == "r = *(const unsigned*)p;"
    text = body_of('asm volatile("ld.cg.v2.u32 {%0, %1}, [%2];" : "=r"(r), "=r"(x) : "l"(p));')
    assert "hipify::load_volatile((const uint2*)p)" in text


@pytest.mark.parametrize(
    "statement",
    [
        'asm(OP ".f32 %0, %1;" : "=f"(f) : "f"(g));',
        'asm(OP " %0, %1;" : "=f"(f) : "f"(g));',
        'asm volatile("ld.relaxed.gpu.global." TYPE " %0, [%1];" : "=" LETTER(r) : "l"(p));',
    ],
)
def test_what_is_pasted_together_is_reported(statement: str) -> None:
    result = run(f"__device__ void k() {{ {statement} }}")
    assert statement in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP219"]


UNARY = '#define UNARY(name, op) __device__ float name(float x) { float y; asm(op ".f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }'


def test_a_macro_that_pastes_instructions_takes_expressions() -> None:
    output = run(UNARY + '\nUNARY(f, "ex2.approx")\nUNARY(g, "rcp.approx" ".ftz")\n#undef UNARY\n').output.decode()
    assert "float y; y = op; return y; }\nUNARY(f, exp2f(x))\nUNARY(g, 1.0f / x)\n" in output
    pair = UNARY.replace("float", "unsigned").replace('"f"', '"r"').replace('"=f"', '"=r"').replace(".f32", "")
    output = run(pair.replace("%1;", "%1, 0x1, 0x5410;") + '\nUNARY(f, "prmt.b32")').output.decode()
    assert "UNARY(f, __byte_perm(x, 0x1, 0x5410))" in output


@pytest.mark.parametrize(
    ("uses", "ids"),
    [
        ("", ["HIP219"]),
        ("UNARY(f, EX2)", ["HIP219"]),
        ('UNARY(f, "ex2.approx"', ["HIP219"]),
        ('UNARY(f, "ex2.approx")\n#define OTHER UNARY(g, "ex2.approx")', ["HIP219"]),
        ('UNARY(f, "ex2.approx")\nUNARY(g, "frobnicate")', ["HIP201"]),
    ],
)
def test_a_macro_stays_whose_uses_are_not_all_to_be_read(uses: str, ids: list[str]) -> None:
    result = run(f"{UNARY}\n{uses}\n")
    assert f"{UNARY}\n{uses}\n" in result.output.decode()
    assert [found.id for found in result.findings] == ids


@pytest.mark.parametrize("statement", ['asm volatile(LOCK "incl %0" : "+m"(*p));', 'asm(OP " %0" : "+r"(r));'])
def test_pasted_assembly_of_other_machines_stays(statement: str) -> None:
    result = run("void k() { " + statement + " }")
    assert result.findings == []


WHOLE = "(0xffffffffffffffffull >> (64 - warpSize))"
MATCH = (
    'asm("{.reg .pred p; and.b32 %0, %1, %2; setp.eq.u32 p, %0, %2; vote.sync.ballot.b32 %0, p, 0xffffffff;'
    ' INSTRUCTION}" : "=r"(r) : "r"(x), "r"(y));'
)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("@!p not.b32 %0, %0;", f"if (!p) out0 = ~out0 & {WHOLE};"),
        ("not.b32 %0, %0;", f"out0 = ~out0 & {WHOLE};"),
        ("@p mov.b32 %0, -1;", "if (p) out0 = 0xffffffffffffffffull;"),
        ("@p not.b32 %0, 0;", "if (p) out0 = ~0ull;"),
        ("xor.b32 %0, %0, 0xffffffff;", "out0 = out0 ^ 0xffffffffffffffffull;"),
        (".reg .b32 m; mov.b32 m, %0; or.b32 m, m, %0; not.b32 %0, m;", f"out0 = ~m & {WHOLE};"),
        (".reg .b32 m; activemask.b32 m; and.b32 %0, %0, m;", "out0 = out0 & m;"),
    ],
)
def test_what_is_made_of_masks_bit_by_bit_has_all_lanes(instruction: str, expected: str) -> None:
    result = run(
        "__device__ void k(unsigned x, unsigned y) { unsigned r;\n" + MATCH.replace("INSTRUCTION", instruction) + "\n}",
        Options(fixes=frozenset()),
    )
    output = result.output.decode()
    assert expected in output
    for line in ("unsigned r;", "unsigned long long out0;", "out0 = x & in2;"):
        assert line in output
    assert "p = static_cast<unsigned>(out0) == in2;" in output
    assert "HIP217" in [found.id for found in result.findings]


@pytest.mark.parametrize("instruction", ["popc.b32 %0, %0;", "add.u32 %0, %0, 1;", "shl.b32 %0, %0, 1;"])
def test_a_mask_that_is_cut_to_32_bits_is_reported(instruction: str) -> None:
    result = run(
        "__device__ void k(unsigned x, unsigned y) { unsigned r;\n" + MATCH.replace("INSTRUCTION", instruction) + "\n}",
        Options(fixes=frozenset()),
    )
    assert "HIP217" in [found.id for found in result.findings]


def test_without_the_support_header() -> None:
    source = '__device__ void k() { asm("bfe.u32 %0, %1, 4, 8;" : "=r"(r) : "r"(x)); }'
    result = run(source, Options(support=False))
    assert source in result.output.decode()
    assert [found.id for found in result.findings] == ["HIP201"]


@pytest.mark.parametrize(
    "source",
    [
        'asm volatile("s_waitcnt vmcnt(0)" ::: "memory");',
        'asm("v_add_f32 %0, %1, %2" : "=v"(a) : "v"(b), "v"(c));',
        '__asm__ __volatile__("cpuid" : "=a"(a) : "a"(1));',
        '__asm__("movq %%rsp, %0" : "=r"(sp));',
        '__asm__ volatile("pause");',
        'asm volatile("" : "+r"(x));',
        'register int r asm("r10");',
    ],
)
def test_other_assembly_stays(source: str) -> None:
    result = run("void f() { " + source + " }")
    assert source in result.output.decode()
    assert result.findings == []
