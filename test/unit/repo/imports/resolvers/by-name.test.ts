/** Languages that import by declared names: Java, Kotlin, C#, Ruby, PHP; and C, by paths (repo L6). */
import { expect, test } from "bun:test";
import { type Files, linksOf } from "../../../../support/source-tree.ts";

const JVM: Files = {
  "core/src/main/java/org/a/Service.java": `package org.a;
import org.a.model.Item;
import static org.a.util.Strings.join;
import org.a.wild.*;
import java.util.List;
class Service extends Base { List<Item> items; Wild wild; Nested.Inner inner; Absent a; }
`,
  "core/src/main/java/org/a/Base.java": "package org.a;\nabstract class Base {}\n",
  "core/src/main/java/org/a/Unused.java": "package org.a;\nclass Unused {}\n",
  "core/src/main/java/org/a/List.java": "package org.a;\nclass List {}\n",
  "core/src/main/java/org/a/model/Item.java":
    "package org.a.model;\npublic class Item { public static class Part {} }\n",
  "core/src/main/java/org/a/util/Strings.java": "package org.a.util;\npublic class Strings {}\n",
  "core/src/main/java/org/a/wild/Wild.java": "package org.a.wild;\npublic class Wild {}\n",
  "core/src/main/java/org/a/wild/Other.java": "package org.a.wild;\npublic class Other {}\n",
  "core/src/test/java/org/a/ServiceTest.java":
    "package org.a;\nimport org.a.model.Item.Part;\nclass ServiceTest { Service s; }\n",
  "app/src/main/java/org/a/Base.java": "package org.a;\nclass Base {}\n",
  "app/src/main/kotlin/org/b/Main.kt":
    "package org.b\nimport org.b.util.shout\nimport org.a.Service as S\nfun main() { shout(); Local() }\n",
  "app/src/main/kotlin/org/b/Local.kt": "package org.b\nclass Local\n",
  "app/src/main/kotlin/org/b/util/Text.kt": "package org.b.util\n\nfun shout() {}\n",
};

test("Java links to imported types, wildcards by use, and types of its package", () => {
  expect(linksOf(JVM, "core/src/main/java/org/a/Service.java")).toEqual([
    "call core/src/main/java/org/a/Base.java",
    "import core/src/main/java/org/a/model/Item.java",
    "import core/src/main/java/org/a/util/Strings.java",
    "import core/src/main/java/org/a/wild/Wild.java",
  ]);
  expect(linksOf(JVM, "core/src/test/java/org/a/ServiceTest.java")).toEqual([
    "call core/src/main/java/org/a/Service.java",
    "import core/src/main/java/org/a/model/Item.java",
  ]);
});

test("Kotlin links to types, top-level functions, and Java", () => {
  expect(linksOf(JVM, "app/src/main/kotlin/org/b/Main.kt")).toEqual([
    "call app/src/main/kotlin/org/b/Local.kt",
    "import app/src/main/kotlin/org/b/util/Text.kt",
    "import core/src/main/java/org/a/Service.java",
  ]);
});

test("C# links to types it names of the namespaces it sees", () => {
  const files = {
    "App/App.csproj": "",
    "App/Globals.cs": "global using Acme.Shared;\n",
    "App/Service.cs": `using Acme.Core;
using Thing = Acme.Model.Item;
namespace Acme.App.Services;
class Service : Base { Engine e; Common c; Shared s; Hidden h; Thing t; Partial p; }
`,
    "App/Base.cs": "namespace Acme.App;\nclass Base {}\n",
    "App/Common.cs": "namespace Acme { class Common {} }\n",
    "App/Partial.One.cs": "namespace Acme.App; partial class Partial {}\n",
    "App/Partial.Two.cs": "namespace Acme.App; partial class Partial {}\n",
    "Core/Engine.cs": "namespace Acme.Core; public class Engine {}\n",
    "Core/Unused.cs": "namespace Acme.Core; public class Unused {}\n",
    "Core/Shared.cs": "namespace Acme.Shared; public class Shared {}\n",
    "Core/Hidden.cs": "namespace Acme.Hidden; public class Hidden {}\n",
    "Core/Item.cs": "namespace Acme.Model; public class Item {}\n",
  };
  expect(linksOf(files, "App/Service.cs")).toEqual([
    "import App/Base.cs",
    "import App/Common.cs",
    "import App/Partial.One.cs",
    "import App/Partial.Two.cs",
    "import Core/Engine.cs",
    "import Core/Item.cs",
    "import Core/Shared.cs",
  ]);
});

test("Ruby links to what it requires, and to constants that one file alone stands for", () => {
  const files = {
    "app/models/user.rb":
      "class User < ApplicationRecord\n  include Searchable\n  has_many HTTPRequest, Billing::Invoice\nend\n",
    "app/models/application_record.rb": "",
    "app/models/concerns/searchable.rb": "",
    "app/models/billing/invoice.rb":
      "module Billing\n  class Invoice\n    Line.new; Gone.new; Twice.new\n  end\nend\n",
    "app/models/billing/line.rb": "",
    "app/models/line.rb": "",
    "app/models/twice.rb": "",
    "lib/twice.rb": "",
    "lib/http_request.rb": "require 'acme/version'\nrequire_relative 'acme/deep'\n",
    "lib/acme/version.rb": "",
    "lib/acme/deep.rb": "",
    "spec/spec_helper.rb": "",
    "spec/models/user_spec.rb": 'require "spec_helper"\nRSpec.describe User do\nend\n',
    "other/lib/acme/version.rb": "",
  };
  expect(linksOf(files, "app/models/user.rb")).toEqual([
    "call app/models/application_record.rb",
    "call app/models/billing/invoice.rb",
    "call app/models/concerns/searchable.rb",
    "call lib/http_request.rb",
  ]);
  expect(linksOf(files, "app/models/billing/invoice.rb")).toEqual([
    "call app/models/billing/line.rb",
  ]);
  expect(linksOf(files, "lib/http_request.rb")).toEqual([
    "import lib/acme/version.rb",
    "include lib/acme/deep.rb",
  ]);
  expect(linksOf(files, "spec/models/user_spec.rb")).toEqual([
    "call app/models/user.rb",
    "import spec/spec_helper.rb",
  ]);
});

test("PHP links to classes by composer's prefixes, its namespace, and included files", () => {
  const files = {
    "composer.json": `{"autoload": {"psr-4": {"Acme\\\\": "src/", "Acme\\\\Special\\\\": ["special"]}}, "autoload-dev": {"psr-4": {"Acme\\\\Tests\\\\": "tests"}}}`,
    "src/Service.php": `<?php
namespace Acme;
use Acme\\Model\\Item;
use Acme\\Special\\Thing as Odd;
use Psr\\Log\\LoggerInterface;
require __DIR__ . '/boot.php';
class Service extends Base { function f() { return new Model\\Order(Odd::make(), \\Acme\\Root::X); } }
`,
    "src/Base.php": "<?php namespace Acme; class Base {}",
    "src/Root.php": "<?php namespace Acme; class Root {}",
    "src/Model/Item.php": "<?php namespace Acme\\Model; class Item {}",
    "src/Model/Order.php": "<?php namespace Acme\\Model; class Order {}",
    "special/Thing.php": "<?php namespace Acme\\Special; class Thing {}",
    "src/Special/Thing.php": "<?php namespace Acme\\Special; class Thing {}",
    "src/boot.php": "<?php",
    "legacy/old.php": "<?php class OldThing {}",
    "tests/ServiceTest.php":
      "<?php namespace Acme\\Tests; use Acme\\Service; class ServiceTest extends Base { function t() { new \\OldThing(); } }",
    "tests/Base.php": "<?php namespace Acme\\Tests; class Base {}",
  };
  expect(linksOf(files, "src/Service.php")).toEqual(
    [
      "call src/Base.php",
      "import special/Thing.php",
      "import src/Model/Item.php",
      "call src/Model/Order.php",
      "import src/Root.php",
      "include src/boot.php",
    ].toSorted(),
  );
  expect(linksOf(files, "tests/ServiceTest.php")).toEqual([
    "call tests/Base.php",
    "import legacy/old.php",
    "import src/Service.php",
  ]);
});

test("C and C++ link to headers beside them, below include folders, and by a unique end", () => {
  const files = {
    "src/main.c": `#include "main.h"
#include "../lib/x.h"
#include <acme/api.h>
#include "util/strings.h"
#include <stdio.h>
#include "twice.h"
`,
    "src/main.h": "",
    "lib/x.h": "",
    "include/acme/api.h": "",
    "third/base/util/strings.h": "",
    "a/twice.h": "",
    "b/twice.h": "",
    "sub/include/acme/api.h": "",
    "sub/src/y.cc": "#include <acme/api.h>\n",
  };
  expect(linksOf(files, "src/main.c")).toEqual([
    "include include/acme/api.h",
    "include lib/x.h",
    "include src/main.h",
    "include third/base/util/strings.h",
  ]);
  expect(linksOf(files, "sub/src/y.cc")).toEqual(["include sub/include/acme/api.h"]);
});
