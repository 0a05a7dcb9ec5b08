"""Headers of Thrust that come along with others in CUDA only."""

from hipify_py import translate


def test_each_missing_header_is_added_behind_the_first_of_thrusts() -> None:
    source = (
        "#include <vector>\r\n#include <thrust/device_vector.h>\r\n#include <thrust/tabulate.h>\r\n"
        "void f(int *p) { thrust::sequence(p, p + 1); thrust::tabulate(p, p + 1, 0); "
        "auto c = thrust::make_constant_iterator(1); auto d = thrust::make_constant_iterator(2); }\r\n"
    )
    output = translate(source, path="a.cu").output
    assert output.count(b"constant_iterator.h") == 1
    assert (
        b"#include <thrust/device_vector.h>\r\n#include <thrust/iterator/constant_iterator.h>\r\n"
        b"#include <thrust/sequence.h>\r\n#include <thrust/tabulate.h>\r\n" in output
    )
    assert translate(output, path="a.cu").output == output


def test_names_of_the_users_own_need_no_header() -> None:
    source = b"#include <thrust/sort.h>\nvoid f(Mine m) { m.sequence(); my::sequence(1); }\n"
    assert b"sequence.h" not in translate(source, path="a.cu").output


def test_what_one_branch_includes_does_not_serve_another() -> None:
    source = (
        b"#ifdef BY_KEY\n#include <thrust/sort.h>\n#else\n#include <thrust/reduce.h>\n#endif\n"
        b"void f(int *p) { thrust::sequence(p, p + 1); }\n"
    )
    output = translate(source, path="a.cu").output
    for line in (b"#include <thrust/sort.h>\n", b"#include <thrust/reduce.h>\n"):
        assert line + b"#include <thrust/sequence.h>\n" in output
    assert translate(output, path="a.cu").output == output
