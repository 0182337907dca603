import { expect, test } from "bun:test";
import { type Files, targetsOf } from "../../../../support/source-tree.ts";

const FILES: Files = {
  "pyproject.toml": `[project]
name = "acme"

[tool.setuptools.packages.find]
where = [
  "code", # the sources
]

[tool.pytest.ini_options]
pythonpath = ["tools/lib"]
`,
  "src/acme/__init__.py": "from .app import App as App, run\nfrom .core import *\n",
  "src/acme/app.py": "",
  "src/acme/core/__init__.py": "from acme.core.engine import Engine\n",
  "src/acme/core/engine.py": "",
  "src/acme/core/json.py": "",
  "src/acme/plugins/one.py": "",
  "src/acme/types.pyi": "",
  "code/other/__init__.py": "",
  "code/other/mod.py": "",
  "tools/lib/devtool.py": "",
  "scripts/deploy.py": "import steps",
  "scripts/steps.py": "",
  "deep/nested/stray_module.py": "",
  "deep/nested/logging.py": "",
  "tests/helper.py": "",
  "tests/unit/__init__.py": "",
  "tests/unit/shared.py": "",
  "packages/lib/setup.py": `setup(package_dir={"": "python"})`,
  "packages/lib/python/libpkg/__init__.py": "",
  "elsewhere/other/__init__.py": "",
  "elsewhere/libpkg/__init__.py": "",
  "elsewhere/devtool.py": "",
  "helper.go": "",
};

function meaning(text: string, from = "tests/unit/test_a.py"): string[] {
  return targetsOf({ ...FILES, [from]: text }, from);
}

test.each([
  ["import acme", ["src/acme/__init__.py"]],
  ["import acme.app", ["src/acme/app.py"]],
  ["import os, acme.app as a, acme.core.engine", ["src/acme/app.py", "src/acme/core/engine.py"]],
  ["from acme import core", ["src/acme/core/__init__.py"]],
  ["from acme import App", ["src/acme/__init__.py", "src/acme/app.py"]],
  ["from acme.core import engine", ["src/acme/core/engine.py"]],
  ["from acme.core import Engine", ["src/acme/core/__init__.py", "src/acme/core/engine.py"]],
  ["from acme.app import App, run", ["src/acme/app.py"]],
  ["from acme import missing", ["src/acme/__init__.py"]],
  ["from acme.plugins import one", ["src/acme/plugins/one.py"]],
  ["import acme.plugins.one", ["src/acme/plugins/one.py"]],
  ["import acme.plugins", []],
  ["from acme import types", ["src/acme/types.pyi"]],
  ["from other import mod", ["code/other/mod.py"]],
  ["import devtool", ["tools/lib/devtool.py"]],
  ["import stray_module", ["deep/nested/stray_module.py"]],
  ["import libpkg", ["packages/lib/python/libpkg/__init__.py"]],
  ["import helper", ["tests/helper.py"]],
  ["from . import shared", ["tests/unit/shared.py"]],
  ["from .shared import x", ["tests/unit/shared.py"]],
  ["from ..helper import x", ["tests/helper.py"]],
  ['mock.patch("acme.core.engine.Engine.start")', ["src/acme/core/engine.py"]],
  ["import json, logging, requests", []],
  ["from ....too.far import x", []],
])("%p means %p (repo L5)", (text, expected) => {
  expect(meaning(text)).toEqual(expected.toSorted());
});

test("a script finds the modules beside it, a module of a package does not (repo L5)", () => {
  expect(targetsOf(FILES, "scripts/deploy.py")).toEqual(["scripts/steps.py"]);
  expect(meaning("import json\nimport engine", "src/acme/core/user.py")).toEqual([]);
});

test("a package that imports itself in a circle ends", () => {
  const files = {
    "a/__init__.py": "from .b import x\n",
    "a/b/__init__.py": "from a import x\n",
    "main.py": "from a import x\n",
  };
  expect(targetsOf(files, "main.py")).toEqual(["a/__init__.py", "a/b/__init__.py"]);
});
