/** What each scanner sees, and what it does not see in comments and strings (repo L4, L5, L6). */
import { expect, test } from "bun:test";
import { scan } from "../../../../../src/repo/imports/scan.ts";
import { specifiersOf, usesOf } from "../../../../support/source-tree.ts";

test("scan() sees Go imports of every form, and none in comments and strings (repo L4)", () => {
  const text = `// Package a does things.
package a

import "fmt"
import . "example.com/dot"
import (
	"errors" // "example.com/no"

	_ "example.com/blank"
	alias "example.com/aliased/v2"
	/* "example.com/commented" */
	"example.com/go-foo/v3"; "os"
)

const text = \`
import "example.com/raw"
\`
var other = "import \\"example.com/string\\""
`;
  expect(specifiersOf("go", text)).toEqual([
    "fmt",
    "example.com/dot",
    "errors",
    "example.com/blank",
    "example.com/aliased/v2",
    "example.com/go-foo/v3",
    "os",
  ]);
});

test("scan() takes from Go the names used of each import, and those declared (repo L4)", () => {
  const text = `package a

import (
	store "example.com/store/v2"
	"example.com/go-config"
)

type Server struct { Name string }
type (
	Option func(*Server)
	pair   struct{ a, b int }
)
const (
	First = iota
	second
)
var Default = New()

func New() *Server { return store.Open(config.Path("x")) }
func (s *Server) Run() { helper(); s.Stop(); fmt.Println("other()") ; _ = Remote{Key: 1} }
`;
  const { references, declares } = scan("go", text);
  expect(references.slice(0, 2)).toEqual([
    { specifier: "example.com/store/v2", kind: "import", names: ["Open"] },
    { specifier: "example.com/go-config", kind: "import", names: ["Path"] },
  ]);
  expect(declares[0]).toBe("a");
  expect(declares.slice(1).toSorted()).toEqual(
    ["Default", "First", "New", "Option", "Server", "pair", "second"].toSorted(),
  );
  const used = usesOf("go", text);
  expect(used).toContain("helper");
  expect(used).toContain("Remote");
  expect(used).not.toContain("Stop");
  expect(used).not.toContain("Println");
  expect(used).not.toContain("Key");
  expect(used).not.toContain("New");
});

test("scan() sees Python imports of every form, and none in comments and strings (repo L5)", () => {
  const text = `"""Docs:

import no_docs
from no.docs import x
"""
# import no_comment
import os, a.b as ab, c
from pkg import mod, other as o  # from no import x
from . import sibling
from ..up.deep import (
    one,  # not (this
    two as t,
)
from .x import \\
    y
from z import *
if True: import nested
    import indented
s = 'import no_string'; import after
f = f"""
import no_f
"""
mod = importlib.import_module("dyn.mod")
@mock.patch("pkg.mod.attr")
def importer(): pass
`;
  expect(scan("python", text).references).toEqual([
    { specifier: "os", kind: "import" },
    { specifier: "a.b", kind: "import" },
    { specifier: "c", kind: "import" },
    { specifier: "pkg", kind: "import", names: ["mod", "other"] },
    { specifier: ".", kind: "import", names: ["sibling"] },
    { specifier: "..up.deep", kind: "import", names: ["one", "two"] },
    { specifier: ".x", kind: "import", names: ["y"] },
    { specifier: "z", kind: "import", names: ["*"] },
    { specifier: "nested", kind: "import" },
    { specifier: "indented", kind: "import" },
    { specifier: "after", kind: "import" },
    { specifier: "dyn.mod", kind: "import" },
    { specifier: "pkg.mod.attr", kind: "import" },
  ]);
});

test("scan() sees Rust modules, use trees and paths, inline modules understood (repo L6)", () => {
  const text = `//! use crate::no_doc;
/* outer /* use crate::no_nested; */ use crate::no_outer; */
mod parser;
pub(crate) mod lexer;
#[path = "special/place.rs"]
mod placed;
use crate::{error::{Error, Result as R}, util};
use super::sibling::*;
pub use self::lexer::Token;
const C: char = '"'; fn f<'a>(s: &'a str) {}
const R: &str = r#"use crate::no_raw; " mod no;"#;
const B: &[u8] = b"mod no_bytes;";
fn g() { other_crate::run(crate::inline::path()); }
#[cfg(test)]
mod tests {
    use super::*;
    use super::super::upper::X;
    mod deeper { use super::super::parser::Parser; }
}
use after::tests;
`;
  expect(scan("rust", text).references).toEqual([
    { specifier: "parser", kind: "module" },
    { specifier: "lexer", kind: "module" },
    { specifier: "placed", kind: "module", names: ["special/place.rs"] },
    { specifier: "crate::error::Error", kind: "import" },
    { specifier: "crate::error::Result", kind: "import" },
    { specifier: "crate::util", kind: "import" },
    { specifier: "super::sibling::*", kind: "import" },
    { specifier: "self::lexer::Token", kind: "import" },
    { specifier: "other_crate::run", kind: "import" },
    { specifier: "crate::inline::path", kind: "import" },
    { specifier: "self::*", kind: "import" },
    { specifier: "super::upper::X", kind: "import" },
    { specifier: "self::parser::Parser", kind: "import" },
    { specifier: "after::tests", kind: "import" },
  ]);
});
