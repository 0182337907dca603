/** What each ecosystem plans; the tools that are installed run for real in `run-tools.test.ts`. */
import { describe, expect, test } from "bun:test";
import { files, shown } from "../../../support/plan.ts";

const MODULE = "module example.com/x\n";

describe("go", () => {
  test("a nested module is tested in its own folder (repo L9)", () => {
    const repository = files("main.go", {
      "go.mod": MODULE,
      "tools/go.mod": MODULE,
      "tools/gen/gen.go": "",
    });
    expect(shown(repository, ["tools/gen/gen.go"]).fast).toEqual(["(cd tools && go test ./gen)"]);
  });

  test("what another version of a module may break is all packages", () => {
    const repository = files("a/a.go b/b.go go.sum ci.yml", { "go.mod": MODULE });
    expect(shown(repository, ["a/a.go", "ci.yml"]).safe).toEqual(["go test ./a"]);
    for (const file of ["go.mod", "go.sum"]) {
      const { fast, safe } = shown(repository, ["a/a.go", file]);
      expect([fast, safe]).toEqual([["go test ./a"], ["go test ./..."]]);
    }
  });

  test("a workspace is tested as a whole in full, and a module outside of it without it", () => {
    const repository = files("api/a.go lib/b.go old/c.go", {
      "go.work": "go 1.22\nuse (\n\t./api // the server\n\t./lib\n)\n",
      "api/go.mod": MODULE,
      "lib/go.mod": MODULE,
      "old/go.mod": MODULE,
    });
    expect(shown(repository, ["api/a.go"]).full[0]).toBe("go test ./api/... ./lib/...");
    expect(shown(repository, ["old/c.go"]).fast).toEqual(["(cd old && env GOWORK=off go test .)"]);
  });

  test("test data belongs to the package above, a deleted package to none", () => {
    const repository = files("parse/parse.go parse/testdata/a.json", { "go.mod": MODULE });
    expect(shown(repository, ["parse/testdata/a.json"]).fast).toEqual(["go test ./parse"]);
    expect(shown(repository, ["gone/gone.go"])).toMatchObject({
      fast: [],
      safe: ["go test ./..."],
    });
  });

  test("many packages are tested by one command", () => {
    const names = Array.from({ length: 12 }, (_, at) => `p${at}/x.go`);
    const others = Array.from({ length: 20 }, (_, at) => `q${at}/x.go`);
    const repository = files([...names, ...others].join(" "), { "go.mod": MODULE });
    const [only, ...more] = shown(repository, names).fast;
    expect(more).toEqual([]);
    expect(only).toStartWith("go test ./p0 ./p1 ");
  });

  test("as many packages as half of the module are tested with all", () => {
    const names = Array.from({ length: 12 }, (_, at) => `p${at}/x.go`);
    const repository = files(`${names.join(" ")} q/x.go`, { "go.mod": MODULE });
    expect(shown(repository, names).fast).toEqual(["go test ./..."]);
  });
});

describe("python", () => {
  const tests = ["tests/test_a.py"];
  const plan = (texts: Record<string, string>) =>
    shown(files("a.py tests/test_a.py", texts), ["a.py"], tests);

  test.each([
    ["uv.lock", "uv run"],
    ["poetry.lock", "poetry run"],
    ["pdm.lock", "pdm run"],
    ["Pipfile.lock", "pipenv run"],
  ])("%s says that %s runs it (repo L10)", (lock, runner) => {
    expect(plan({ "pyproject.toml": "", [lock]: "" }).fast).toEqual([
      `${runner} pytest tests/test_a.py`,
    ]);
  });

  test("tox is run by the environment where it is installed in that", () => {
    const pyproject = '[dependency-groups]\ndev = [\n  "tox",\n]\n\n[tool.tox]\n';
    expect(plan({ "pyproject.toml": pyproject, "uv.lock": "" }).full).toContain("uv run tox");
    expect(plan({ "pyproject.toml": "[tool.tox]\n", "uv.lock": "" }).full).toContain("tox");
  });

  test("hatch runs where it has environments", () => {
    expect(plan({ "pyproject.toml": "[tool.hatch.envs.default]\n" }).safe).toContain(
      "hatch run pytest",
    );
    expect(plan({ "pyproject.toml": '[build-system]\nrequires = ["hatchling"]\n' }).safe).toContain(
      "pytest",
    );
  });

  test("linters and type checkers only where they are configured (repo L10)", () => {
    expect(plan({ "noxfile.py": "" }).full).toEqual(["pytest", "nox"]);
    expect(plan({ "ruff.toml": "", "mypy.ini": "[mypy]\nfiles = a.py\n" }).full).toEqual([
      "pytest",
      "ruff check .",
      "mypy",
    ]);
    expect(plan({ "pyproject.toml": "", "pyrightconfig.json": "{}" }).full).toEqual([
      "pytest",
      "pyright",
    ]);
    expect(plan({ "setup.cfg": "# [mypy] is for later\n[tool:pytest]\n" }).full).toEqual([
      "pytest",
    ]);
  });

  test("a package of a monorepo is tested in its folder (repo L9)", () => {
    const repository = files("libs/x/x.py libs/x/tests/test_x.py", {
      "uv.lock": "",
      "pyproject.toml": "[tool.ruff]\n",
      "libs/x/pyproject.toml": "[project]\nname='x'\n",
    });
    expect(shown(repository, ["libs/x/x.py"], ["libs/x/tests/test_x.py"])).toMatchObject({
      fast: ["(cd libs/x && uv run pytest tests/test_x.py)"],
      full: ["(cd libs/x && uv run pytest)", "(cd libs/x && uv run ruff check .)"],
    });
  });

  test("Django without pytest is tested by manage.py", () => {
    const repository = files("manage.py shop/tests/test_cart.py", {
      "requirements.txt": "Django\n",
    });
    expect(shown(repository, [], ["shop/tests/test_cart.py"]).fast).toEqual([
      "python manage.py test shop.tests.test_cart",
    ]);
  });
});

describe("rust", () => {
  const repository = files(
    "crates/a/src/lib.rs crates/a/tests/flow.rs crates/a/tests/deep/main.rs",
    {
      "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["fuzz"]\n',
      "crates/a/Cargo.toml": '[package]\nname = "alpha"\n',
      "fuzz/Cargo.toml": '[package]\nname = "fuzz"\n',
      "fuzz/src/main.rs": "",
    },
  );

  test("a crate of a workspace by name, its integration tests by theirs", () => {
    expect(
      shown(
        repository,
        ["crates/a/src/lib.rs"],
        ["crates/a/tests/flow.rs", "crates/a/tests/deep/main.rs"],
      ),
    ).toEqual({
      fast: ["cargo test -p alpha --lib --test flow --test deep"],
      safe: ["cargo test -p alpha"],
      full: [
        "cargo test --workspace",
        "cargo clippy --workspace --all-targets",
        "cargo fmt --all --check",
      ],
    });
  });

  test("what concerns a whole workspace is tested as a whole", () => {
    expect(shown(repository, ["Cargo.toml"]).safe).toEqual(["cargo test --workspace"]);
  });

  test("where Cargo does not look for tests, a part of a declared one stands for it", () => {
    const declared = files("src/main.rs tests/all.rs tests/part.rs", {
      "Cargo.toml":
        '[package]\nname = "rg"\nautotests = false\n\n[[test]]\nname = "integration"\npath = "tests/all.rs"\n',
    });
    expect(shown(declared, [], ["tests/part.rs"]).fast).toEqual(["cargo test --test integration"]);
  });

  test("a test that is compiled on a condition only is run by no plain command", () => {
    const conditional = files(
      "src/lib.rs src/tests/loom_list.rs tests/loom_flow.rs tests/flow.rs",
      {
        "Cargo.toml":
          "[package]\nname = \"x\"\n\n[target.'cfg(loom)'.dev-dependencies]\nloom = \"0.7\"\n\n[target.'cfg(unix)'.dependencies]\n",
      },
    );
    const loom = ["src/tests/loom_list.rs", "tests/loom_flow.rs"];
    expect(shown(conditional, loom, [...loom, "tests/flow.rs"]).fast).toEqual([
      "cargo test --test flow",
    ]);
    expect(shown(conditional, loom, loom).fast).toEqual([]);
    expect(shown(conditional, ["src/lib.rs"], loom).fast).toEqual(["cargo test --lib"]);
  });

  test("a crate that the workspace leaves out stands alone", () => {
    expect(shown(repository, ["fuzz/src/main.rs"]).fast).toEqual([
      "(cd fuzz && cargo test --bins)",
    ]);
  });
});

describe("gradle and maven", () => {
  const javaTest = "app/src/test/java/com/x/CartTest.java";
  const source = "app/src/main/java/com/x/Cart.java";

  test("gradle runs the class in its subproject, by the wrapper", () => {
    const repository = files(`${source} ${javaTest} gradlew`, {
      "settings.gradle.kts": "",
      "app/build.gradle.kts": "",
    });
    expect(shown(repository, [source], [javaTest])).toEqual({
      fast: ["./gradlew :app:test --tests CartTest"],
      safe: ["./gradlew :app:test"],
      full: ["./gradlew build"],
    });
  });

  test("gradle's other source sets have their own task, Android another", () => {
    const repository = files("", {
      "build.gradle": "plugins { id 'com.android.library' }",
      "src/test/kotlin/A.kt": "",
      "src/integrationTest/kotlin/B.kt": "",
    });
    const tests = ["src/test/kotlin/A.kt", "src/integrationTest/kotlin/B.kt"];
    expect(shown(repository, [], tests).fast).toEqual([
      "gradle testDebugUnitTest --tests A",
      "gradle integrationTest --tests B",
    ]);
  });

  test("a multiplatform project is tested on the JVM, its common tests too", () => {
    const repository = files("src/commonMain/kotlin/B.kt src/commonTest/kotlin/BTest.kt", {
      "build.gradle.kts": 'plugins { kotlin("multiplatform") }\nkotlin { jvm() }\n',
    });
    const [source = "", kotlinTest = ""] = Object.keys(repository);
    expect(shown(repository, [source], [kotlinTest])).toEqual({
      fast: ["gradle jvmTest --tests BTest"],
      safe: ["gradle jvmTest"],
      full: ["gradle build"],
    });
  });

  test("maven runs the class in its module, with what that needs", () => {
    const repository = files(`${source} ${javaTest} mvnw`, {
      "pom.xml": "<project><modules><module>app</module></modules></project>",
      "app/pom.xml": "<project/>",
      "app/src/test/java/com/x/CartIT.java": "",
    });
    const tests = [javaTest, "app/src/test/java/com/x/CartIT.java"];
    expect(shown(repository, [source], tests)).toEqual({
      fast: [
        "./mvnw -pl app -am test -Dtest=CartTest -Dsurefire.failIfNoSpecifiedTests=false",
        "./mvnw -pl app -am verify -Dit.test=CartIT -Dfailsafe.failIfNoSpecifiedTests=false",
      ],
      safe: ["./mvnw -pl app -am test"],
      full: ["./mvnw verify"],
    });
  });

  test("a file name that is no class name is never a filter (repo X1)", () => {
    const odd = "src/test/java/A;touch x.java";
    const repository = files("", { "pom.xml": "<project/>", [odd]: "" });
    expect(shown(repository, [], [odd])).toMatchObject({ fast: [], safe: ["mvn test"] });
  });
});

test("dotnet tests what refers to the project, and all by the solution", () => {
  const repository = files("App/Cart.cs App.Tests/CartTests.cs Shop.sln", {
    "App/App.csproj": "<Project/>",
    "App.Tests/App.Tests.csproj":
      '<Project><ItemGroup><PackageReference Include="Microsoft.NET.Test.Sdk"/><ProjectReference Include="..\\App\\App.csproj" /></ItemGroup></Project>',
  });
  expect(shown(repository, ["App/Cart.cs"], ["App.Tests/CartTests.cs"])).toEqual({
    fast: ["dotnet test ./App.Tests/App.Tests.csproj --filter 'FullyQualifiedName~CartTests'"],
    safe: ["dotnet test ./App.Tests/App.Tests.csproj"],
    full: ["dotnet test ./Shop.sln"],
  });
});

describe("ruby and php", () => {
  test("rspec by bundler where there is a Gemfile", () => {
    const repository = files("lib/a.rb spec/a_spec.rb .rspec .rubocop.yml");
    expect(shown({ ...repository, Gemfile: "" }, ["lib/a.rb"], ["spec/a_spec.rb"])).toEqual({
      fast: ["bundle exec rspec spec/a_spec.rb"],
      safe: ["bundle exec rspec spec"],
      full: ["bundle exec rspec", "bundle exec rubocop"],
    });
    expect(shown(repository, ["lib/a.rb"], ["spec/a_spec.rb"]).fast).toEqual([
      "rspec spec/a_spec.rb",
    ]);
  });

  test("a folder of specs is not named again within another", () => {
    const specs = ["spec/cli/b_spec.rb", "spec/a_spec.rb", "spec/cli_x/c_spec.rb"];
    const { safe } = shown(files(`lib/a.rb ${specs.join(" ")} .rspec`), ["lib/a.rb"], specs);
    expect(safe).toEqual(["rspec spec"]);
  });

  test("minitest by rake, and by Rails", () => {
    const plain = files("lib/a.rb test/a_test.rb", {
      Gemfile: "",
      Rakefile: "Rake::TestTask.new(:units) do |t|\nend\n",
    });
    expect(shown(plain, ["lib/a.rb"], ["test/a_test.rb"])).toMatchObject({
      fast: ["bundle exec ruby -Ilib -Itest test/a_test.rb"],
      safe: ["bundle exec rake units"],
    });
    const rails = files("app/a.rb test/a_test.rb test/test_helper.rb bin/rails Gemfile");
    expect(shown(rails, ["app/a.rb"], ["test/a_test.rb"])).toMatchObject({
      fast: ["bin/rails test test/a_test.rb"],
      full: ["bin/rails test"],
    });
  });

  test("phpunit and pest by what composer requires", () => {
    const php = (runner: string, scripts = {}) =>
      shown(
        files("src/A.php tests/Unit/ATest.php phpstan.neon", {
          "composer.json": JSON.stringify({ scripts, "require-dev": { [runner]: "*" } }),
        }),
        ["src/A.php"],
        ["tests/Unit/ATest.php"],
      );
    expect(php("phpunit/phpunit")).toEqual({
      fast: ["vendor/bin/phpunit tests/Unit/ATest.php"],
      safe: ["vendor/bin/phpunit tests/Unit"],
      full: ["vendor/bin/phpunit", "vendor/bin/phpstan analyse"],
    });
    expect(php("pestphp/pest", { test: "pest" })).toMatchObject({
      fast: ["vendor/bin/pest tests/Unit/ATest.php"],
      full: ["composer test", "vendor/bin/phpstan analyse"],
    });
  });
});

test("deno by its task, or by itself", () => {
  const repository = (text: string) => files("a.ts a_test.ts", { "deno.json": text });
  const plan = (text: string) => shown(repository(text), ["a.ts"], ["a_test.ts"]);
  expect(plan('{"tasks":{"test":"deno test -A"}}').fast).toEqual(["deno task test a_test.ts"]);
  expect(plan("{}")).toEqual({
    fast: ["deno test --allow-all a_test.ts"],
    safe: ["deno test --allow-all"],
    full: ["deno test --allow-all", "deno lint", "deno fmt --check"],
  });
});
