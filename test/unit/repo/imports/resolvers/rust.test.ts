import { expect, test } from "bun:test";
import { type Files, linksOf, targetsOf } from "../../../../support/source-tree.ts";

const FILES: Files = {
  "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
  "crates/core/Cargo.toml": '[package]\nname = "acme-core"\nversion.workspace = true\n',
  "crates/core/src/lib.rs":
    'mod parser;\npub mod error;\n#[path = "odd/place.rs"]\nmod odd;\npub use parser::ast::Node;\n',
  "crates/core/src/error.rs": "",
  "crates/core/src/odd/place.rs": "",
  "crates/core/src/parser.rs":
    "mod ast;\nmod lexer;\nuse self::ast::Node;\nuse super::error::Error;\n",
  "crates/core/src/parser/ast.rs":
    "use crate::error::{self, Error};\nuse super::lexer::Token;\nuse std::fmt;\n",
  "crates/core/src/parser/lexer/mod.rs": "mod rules;\nuse super::ast;\nuse crate::odd::Place;\n",
  "crates/core/src/parser/lexer/rules.rs": "use super::super::ast::Node;\nuse super::Token;\n",
  "crates/core/tests/parse.rs":
    "mod common;\nuse acme_core::parser::ast::Node;\nuse acme_core::Missing;\n",
  "crates/core/tests/common/mod.rs": "",
  "crates/core/src/bin/tool.rs": "use acme_core::error;\nuse crate::parser::None;\nmod inner;\n",
  "crates/core/src/bin/inner.rs": "use crate::x;\n",
  "crates/cli/Cargo.toml": `[package]
name = "acme-cli"

[[bin]]
name = "acme"
path = "app/main.rs"

[dependencies]
acme-core = { path = "../core" }
`,
  "crates/cli/app/main.rs": "mod args;\nfn main() { acme_core::error::report(); args::parse(); }\n",
  "crates/cli/app/args.rs":
    "use crate::args::x;\nuse crate::helper;\n#[cfg(test)]\nmod tests { use super::*; use super::super::x; }\n",
};

test.each<[string, string[]]>([
  [
    "crates/core/src/lib.rs",
    [
      "import crates/core/src/parser/ast.rs",
      "module crates/core/src/error.rs",
      "module crates/core/src/odd/place.rs",
      "module crates/core/src/parser.rs",
    ],
  ],
  [
    "crates/core/src/parser.rs",
    [
      "import crates/core/src/error.rs",
      "module crates/core/src/parser/ast.rs",
      "module crates/core/src/parser/lexer/mod.rs",
    ],
  ],
  [
    "crates/core/src/parser/ast.rs",
    ["import crates/core/src/error.rs", "import crates/core/src/parser/lexer/mod.rs"],
  ],
  [
    "crates/core/src/parser/lexer/mod.rs",
    [
      "import crates/core/src/odd/place.rs",
      "import crates/core/src/parser/ast.rs",
      "module crates/core/src/parser/lexer/rules.rs",
    ],
  ],
  [
    "crates/core/src/parser/lexer/rules.rs",
    ["import crates/core/src/parser/ast.rs", "import crates/core/src/parser/lexer/mod.rs"],
  ],
  [
    "crates/core/tests/parse.rs",
    [
      "import crates/core/src/lib.rs",
      "import crates/core/src/parser/ast.rs",
      "module crates/core/tests/common/mod.rs",
    ],
  ],
  [
    "crates/core/src/bin/tool.rs",
    ["import crates/core/src/error.rs", "module crates/core/src/bin/inner.rs"],
  ],
  ["crates/cli/app/main.rs", ["import crates/core/src/error.rs", "module crates/cli/app/args.rs"]],
  ["crates/cli/app/args.rs", ["import crates/cli/app/main.rs"]],
])("%p links to what it declares and uses (repo L6)", (from, expected) => {
  expect(linksOf(FILES, from)).toEqual(expected);
});

test("a package without a workspace is known by its own name (repo L6)", () => {
  const files = {
    "Cargo.toml": '[package]\nname = "solo"\n[lib]\npath = "lib/solo.rs"\n',
    "lib/solo.rs": "pub mod part;\n",
    "lib/part.rs": "",
    "tests/t.rs": "use solo::part::x;\n",
  };
  expect(targetsOf(files, "tests/t.rs")).toEqual(["lib/part.rs"]);
  expect(targetsOf(files, "lib/solo.rs")).toEqual(["lib/part.rs"]);
});
