/** What is planned for C and C++: CMake, Meson, make, and test scripts beside them. */
import { expect, test } from "bun:test";
import { files, shown } from "../../../support/plan.ts";

test("cmake configures, builds and tests, beside a tracked folder build", () => {
  const repository = files("src/a.c build/rules.cmake", {
    "CMakeLists.txt": "enable_testing()\n",
    "src/CMakeLists.txt": "",
  });
  expect(shown(repository, ["src/a.c"]).safe).toEqual([
    "cmake -S . -B build-verify",
    "cmake --build build-verify",
    "ctest --test-dir build-verify --output-on-failure",
  ]);
});

test("of what cmake builds nothing is fast, but tests that were chosen", () => {
  const repository = files("a.cpp a_test.cpp", { "CMakeLists.txt": "enable_testing()" });
  expect(shown(repository, ["a.cpp"]).fast).toEqual([]);
  expect(shown(repository, ["a.cpp"], ["a_test.cpp"]).fast.at(-1)).toStartWith("ctest ");
});

test("meson", () => {
  expect(shown(files("a.c", { "meson.build": "" }), ["a.c"]).safe).toEqual([
    "meson setup build",
    "meson test -C build --print-errorlogs",
  ]);
});

test.each(["meson.build", "CMakeLists.txt"])(
  "beside a makefile that tests, %s is not built as well",
  (name) => {
    const build = { [name]: "enable_testing()", "sub/Makefile": "test:\n" };
    const both = shown(files("a.c", { ...build, Makefile: "all: a\nlint test: all\n" }), ["a.c"]);
    expect(both).toMatchObject({ fast: [], safe: ["make test"] });
    const noTest = files("a.c", { ...build, Makefile: "all: test.o\ntest = x\ntest := y\n" });
    expect(shown(noTest, ["a.c"]).safe[0]).toMatch(/^(meson|cmake) /);
  },
);

test("scripts in a folder t, whose odd names are no goals of make (repo X1)", () => {
  const odd = "t/t1;touch x.sh";
  const repository = files("grep.c t/t0000-basic.sh t/t0001-init.sh", {
    Makefile: "all: x\ntest: all\n\t$(MAKE) -C t/ all\n",
    "t/Makefile": "all: $(T)\n",
    [odd]: "",
  });
  expect(shown(repository, ["grep.c"], ["t/t0000-basic.sh", odd, "t/t0001-init.sh"])).toEqual({
    fast: ["make", "make -C t t0000-basic.sh t0001-init.sh", "(cd t && sh './t1;touch x.sh')"],
    safe: ["make test"],
    full: ["make test"],
  });
  const own = files("a.c t/t1.sh t/unit/u.c", {
    Makefile: "test: all\n\t$(MAKE) -C t/ test\n",
    "t/Makefile": "test: $(T)\n",
  });
  expect(shown(own, ["a.c", "t/t1.sh", "t/unit/u.c"]).safe).toEqual(["make test"]);
  const apart = files("a.c t/t1.sh t/unit/u.c", {
    Makefile: "test: all\n\t$(MAKE) -C t2 test\n",
    "t/Makefile": "test: $(T)\n",
  });
  expect(shown(apart, ["a.c", "t/unit/u.c"]).safe).toEqual(["make test", "make -C t test"]);
  expect(shown(files("lib/A.pm t/a.t"), ["lib/A.pm"], ["t/a.t"]).fast).toEqual(["prove -l t/a.t"]);
});
