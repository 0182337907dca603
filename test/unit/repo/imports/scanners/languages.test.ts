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

test("scan() sees Java imports and the types a file names (repo L6)", () => {
  const text = `package org.a.b;

import java.util.List;
import static org.a.util.Strings.join;
import org.a.model.*;
// import org.a.No;
/* import org.a.No2; */

/** {@link NoDoc} */
public final class Service extends Base implements Runner<Item> {
  String text = "import org.a.No3; NoString";
  String block = """
      import org.a.No4;
      """;
  char quote = '"';
  enum Kind { A }
  Helper helper = other.Member.of(Factory.make());
}
`;
  const { declares } = scan("java", text);
  expect(specifiersOf("java", text)).toEqual([
    "java.util.List",
    "org.a.util.Strings.join",
    "org.a.model.*",
  ]);
  expect(declares).toEqual(["org.a.b", "Service", "Kind"]);
  const used = usesOf("java", text);
  for (const name of ["Base", "Runner", "Item", "Helper", "Factory"]) expect(used).toContain(name);
  for (const name of ["NoDoc", "NoString", "Member", "Service"]) expect(used).not.toContain(name);
});

test("scan() sees Kotlin imports and top-level names, nested comments understood (repo L6)", () => {
  const text = `@file:JvmName("X")
package org.a

import org.a.model.Item as Thing
import org.a.util.joinAll
/* a /* nested */ import org.a.No */

class Service(private val base: Base)
data class Point(val x: Int)
fun helper() = "\${Inner("}")} import org.a.No2"
fun String.shout(): String = """
import org.a.No3
"""
val LIMIT = 3
typealias Names = List<String>
`;
  expect(specifiersOf("kotlin", text)).toEqual(["org.a.model.Item", "org.a.util.joinAll"]);
  expect(scan("kotlin", text).declares).toEqual([
    "org.a",
    "Service",
    "Point",
    "helper",
    "shout",
    "LIMIT",
    "Names",
  ]);
  expect(usesOf("kotlin", text)).toContain("Inner");
});

test("scan() sees C# usings, namespaces and types (repo L6)", () => {
  const text = `global using System.Linq;
using Acme.Core;
using static Acme.Util.Strings;
using Alias = Acme.Model.Item;
// using Acme.No;
namespace Acme.App;

public sealed record Point(int X);
internal class Service : BaseService {
  string a = @"it's ""
using Acme.No2;
";
  string b = """
    it's "
    using Acme.No3;
    """;
  string c = $"{Helper.Run("x")}";
  void Run() { using (var s = Open()) {} using var t = Make(); }
}
public delegate void Handler(object sender);
namespace Acme.Other { enum Kind { A } }
`;
  expect(specifiersOf("csharp", text)).toEqual([
    "System.Linq",
    "Acme.Core",
    "Acme.Util.Strings",
    "Acme.Model.Item",
  ]);
  expect(scan("csharp", text).declares).toEqual([
    "Acme.App.Point",
    "Acme.App.Service",
    "Acme.App.Handler",
    "Acme.Other.Kind",
  ]);
  expect(usesOf("csharp", text)).toContain("BaseService");
  expect(usesOf("csharp", text)).not.toContain("Service");
});

test("scan() sees Ruby requires and constants, heredocs and expressions understood (repo L6)", () => {
  const text = `# require "no"
require "json"
require_relative '../lib/a'
require File.expand_path("../b", __FILE__)
autoload :Thing, "acme/thing"
=begin
require "no_begin"
=end
module Acme
  class Service < Acme::Base
    TEXT = <<~TXT
      require "no_heredoc"
      it's
    TXT
    RULE = /["']require "no_rule"/
    WORDS = %w[a' b"]
    def run(x) = "#{Helper.call("a")} require 'no_string'" unless x =~ /'/
  end
end
Final.call
__END__
require "no_data"
`;
  expect(specifiersOf("ruby", text)).toEqual(["json", "../lib/a", "acme/thing", "b"]);
  expect(scan("ruby", text).declares).toEqual(["Acme", "Acme::Service"]);
  const used = usesOf("ruby", text);
  for (const name of ["Acme::Base", "Helper", "Final"]) expect(used).toContain(name);
});

test("scan() sees PHP uses, includes and class names, markup left out (repo L6)", () => {
  const text = `<html> use No\\Html; it's
<?php
namespace Acme\\App;

use Acme\\Core\\Thing;
use Acme\\Model\\{Item, Order as Bought};
use function Acme\\helper;
// use Acme\\No;
# use Acme\\No2;
#[Attribute]
final class Service extends Base implements \\Acme\\Contract {
  use SomeTrait;
  private $text = "use Acme\\No3;";
  function run(Local\\Kind $k) { return new Made($this->Property); }
}
require_once __DIR__ . '/../boot.php';
include "lib/x.php";
$h = <<<EOT
use Acme\\No4;
it's
EOT;
$f = function () use ($h) {};
?>
<p>Don't use Acme\\No5;</p>
use Acme\\No6;
<p>Markup</p>
<?= After::call() ?>
`;
  expect(specifiersOf("php", text)).toEqual([
    "Acme\\Core\\Thing",
    "Acme\\Model\\Item",
    "Acme\\Model\\Order",
    "Acme\\helper",
    "SomeTrait",
    "../boot.php",
    "lib/x.php",
  ]);
  expect(scan("php", text).declares).toEqual(["Acme\\App", "Acme\\App\\Service"]);
  const used = usesOf("php", text);
  for (const name of ["Base", "\\Acme\\Contract", "Local\\Kind", "Made", "After", "Attribute"]) {
    expect(used).toContain(name);
  }
  expect(used).not.toContain("Property");
  expect(used).not.toContain("Markup");
});

test("scan() sees C and C++ includes, raw strings and separators understood (repo L6)", () => {
  const text = `#include "a.h"
  #  include <lib/b.hpp> // why
// #include "no.h"
/* #include "no2.h" */
#include "c/d.h" /* why */
const char *s = "#include \\"no3.h\\"";
int n = 1'000'000; char q = '"';
auto r = R"x(
#include "no4.h"
)x";
#import "e.h"
#include MACRO
`;
  expect(scan("c", text).references).toEqual([
    { specifier: "a.h", kind: "include" },
    { specifier: "lib/b.hpp", kind: "import" },
    { specifier: "c/d.h", kind: "include" },
    { specifier: "e.h", kind: "include" },
  ]);
});
