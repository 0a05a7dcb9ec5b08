"""Members of CUDA structs, wherever the source tells that what they are taken from is of the struct's type."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate

_HEAD = """\
struct Ctx { cudaDeviceProp prop; cudaDeviceProp *pp; std::vector<cudaDeviceProp> all; std::unique_ptr<cudaDeviceProp> up; };
struct Outer { Ctx ctx; Ctx *ptr; union { cudaDeviceProp either; int number; }; };
struct Mine { int sparseCudaArraySupported; };
template <class T> struct Box { T value; T *get() { return &value; } };
using Props = std::vector<cudaDeviceProp>;
typedef cudaDeviceProp *PropPtr;
#define PROP cudaDeviceProp
cudaDeviceProp query(int);
const cudaDeviceProp &current();
"""
_PARAMETERS = "Outer &o, Props v, PropPtr q, std::map<int, cudaDeviceProp> m, std::shared_ptr<Ctx> sp, Ctx *c, int n"
KNOWN = {
    "element of an array": "cudaDeviceProp a[2]; a[0].@;",
    "element of an array of arrays": "cudaDeviceProp a[2][3]; a[n][n + 1].@;",
    "array as a pointer": "cudaDeviceProp a[2]; a->@; (a + 1)->@; (*a).@;",
    "pointer through typedef": "q->@; q[2].@; (*q).@; (q + n)->@;",
    "range-for": "cudaDeviceProp a[2]; for (auto &p : a) p.@;",
    "range-for over a vector": "for (const auto &p : v) { p.@; }",
    "range-for with the type": "for (const cudaDeviceProp &p : v) p.@;",
    "range-for over a map": "for (auto &[key, p] : m) p.@;",
    "range-for over a map's pairs": "for (auto &pair : m) pair.second.@;",
    "range-for in range-for": "std::vector<Props> w; for (auto &row : w) for (auto &p : row) p.@;",
    "range-for over a list": "for (auto *p : {q, q + 1}) { use(p); } for (auto &p : o.ctx.all) p.@;",
    "iterator": "for (auto it = v.begin(); it != v.end(); ++it) it->@;",
    "iterator of a map": "auto it = m.find(3); it->second.@;",
    "auto": "auto p = v[0]; p.@;",
    "auto pointer": "auto *p = &v[0]; p->@; (*p).@;",
    "auto reference": "auto &p = *q; p.@; const auto &r = p; r.@;",
    "auto through a call": "auto p = query(n); p.@;",
    "auto through new": "auto p = new cudaDeviceProp; p->@; auto a = new cudaDeviceProp[3]; a[1].@;",
    "decltype": "auto p = v[0]; decltype(p) r; r.@;",
    "member of a member": "o.ctx.prop.@; o.ptr->prop.@; o.ptr->pp->@;",
    "member of an unnamed union": "o.either.@;",
    "element of a member": "o.ctx.all[1].@; c->all.front().@; c->all.at(n).@;",
    "smart pointer": "std::unique_ptr<cudaDeviceProp> p; p->@; (*p).@; p.get()->@;",
    "smart pointer to an array": "std::unique_ptr<cudaDeviceProp[]> p; p[n].@;",
    "smart pointer to a struct": "sp->prop.@; sp->up->@; sp.get()->pp->@;",
    "make_unique": "auto p = std::make_unique<cudaDeviceProp>(); p->@;",
    "make_shared": "const auto p = std::make_shared<Ctx>(); p->prop.@;",
    "optional": "std::optional<cudaDeviceProp> p; p->@; p.value().@;",
    "std::array": "std::array<cudaDeviceProp, 4> p; p[0].@; p.back().@;",
    "vector of vectors": "std::vector<std::vector<cudaDeviceProp>> w; w[0][1].@;",
    "pair": "std::pair<int, cudaDeviceProp> p; p.second.@; std::get<1>(p).@;",
    "structured binding of a pair": "std::pair<int, cudaDeviceProp> p; auto [a, b] = p; b.@;",
    "structured binding of a tuple": "std::tuple<int, Ctx, cudaDeviceProp *> t; const auto &[a, b, d] = t; b.prop.@; d->@;",
    "structured binding of a struct": "auto &[a, b, d, e] = o.ctx; a.@; b->@; d[0].@; e->@;",
    "call": "query(0).@; current().@;",
    "cast": "static_cast<cudaDeviceProp *>(x)->@; ((PropPtr)x)->@; reinterpret_cast<const Ctx *>(x)->prop.@;",
    "conditional": "(n ? v[0] : v[1]).@; (n ? q : &v[0])->@;",
    "instance of a template": "Box<cudaDeviceProp> b; b.value.@; b.get()->@;",
    "instance of a template, nested": "Box<Box<cudaDeviceProp>> b; b.value.value.@;",
    "macro for the type": "PROP p; p.@;",
    "lambda's parameter": "auto l = [&](const cudaDeviceProp &p) { return p.@; };",
    "std::move": "auto p = std::move(v[0]); p.@;",
    "designated initialiser": "cudaDeviceProp p = {.@ = 1}; cudaDeviceProp r{.@ = 1};",
    "designated initialiser of an array": "cudaDeviceProp p[] = {{.@ = 1}, {.@ = 2}};",
    "offsetof": "n = offsetof(cudaDeviceProp, @);",
    "pointer to member": "auto p = &cudaDeviceProp::@;",
}
OTHERS = (
    "Mine p; p.@;",
    "std::vector<Mine> w; w[0].@; for (auto &p : w) p.@;",
    "auto p = unknown(); p.@;",
    "v.@; q.@; m.@;",
    "std::pair<cudaDeviceProp, Mine> p; p.second.@; auto [a, b] = p; b.@;",
    "Box<Mine> b; b.value.@;",
    "{ Mine v; v.@; }",
    "Mine p = {.@ = 1};",
    "n = offsetof(Mine, @);",
)


def hip(body: str) -> str:
    source = f"{_HEAD}void f({_PARAMETERS}) {{ {body.replace('@', 'sparseCudaArraySupported')} }}\n"
    return translate(source, path="a.cu", options=Options(implicit_runtime=False)).output.decode().splitlines()[-1]


@pytest.mark.parametrize("name", KNOWN)
def test_a_member_of_what_is_of_the_structs_type_is_renamed(name: str) -> None:
    output = hip(KNOWN[name])
    assert output.count("sparseHipArraySupported") == KNOWN[name].count("@")
    assert "sparseCudaArraySupported" not in output


@pytest.mark.parametrize("body", OTHERS)
def test_a_member_of_something_else_stays(body: str) -> None:
    output = hip(body)
    assert output.count("sparseCudaArraySupported") == body.count("@")


@pytest.mark.parametrize(
    "source",
    [
        "struct B { cudaDeviceProp prop; };\nstruct D : B { int f() { return prop.@ + this->prop.@; } };",
        "struct B { cudaDeviceProp prop; };\nstruct D : B { int f(); };\nint D::f() { return prop.@; }",
        "struct S { cudaDeviceProp prop; int f(); };\nint S::f() { return this->prop.@ + prop.@; }",
        "namespace n { struct S { cudaDeviceProp prop; }; }\nint f(n::S s) { return s.prop.@; }",
        "class S { std::vector<cudaDeviceProp> all_; int f(int i) { return all_[i].@; } };",
        "static std::vector<cudaDeviceProp> all;\nint f(int i) { return all.at(i).@; }",
        "#define OF(p) ((p).x)\nvoid f(cudaDeviceProp *p) {\n  g(); CHECKED\n  int n = p->@; CHECKED\n  use(n);\n}",
    ],
)
def test_a_member_of_a_member_of_a_class_is_renamed(source: str) -> None:
    result = translate(source.replace("@", "sparseCudaArraySupported"), path="a.cu").output
    assert result.count(b"sparseHipArraySupported") == source.count("@")


def test_a_member_without_a_counterpart_is_reported_through_auto() -> None:
    source = "int f(std::vector<cudaDeviceProp> v) { for (auto &p : v) return p.deviceNumaId; }"
    findings = translate(source, path="a.cu").findings
    assert [(found.id, found.name) for found in findings if found.id == "HIP106"] == [
        ("HIP106", "cudaDeviceProp.deviceNumaId")
    ]
