/** What each scanner sees, and what it does not see in comments and strings (repo L4, L5, L6). */
import { expect, test } from "bun:test";
import { scan } from "../../../../../src/repo/imports/scan.ts";
import { specifiersOf, usesOf } from "../../../../support/source-tree.ts";

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
