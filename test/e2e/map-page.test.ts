/** The page of `pallium map` in a real Chromium, from a file, as a person uses it. */
import { expect, test } from "bun:test";
import { pathToFileURL } from "node:url";
import type { MapReport } from "../../src/repo/reports/map.ts";
import { mapPage } from "../../src/repo/reports/map-page.ts";
import { type Browser, CHROMIUM, startBrowser } from "../support/browser.ts";
import { file, mapOf } from "../support/map-files.ts";
import { tempDir } from "../support/temp.ts";

if (CHROMIUM === undefined) {
  console.log("skipped: the map in a browser, since there is no Chromium on PATH");
}

const REPORT = mapOf([
  file("src/engine/run.ts", { lines: 900, commits: 80, fixes: 20, risk: 99, level: "high" }),
  file("src/engine/parse.ts", { lines: 300, risk: 20 }),
  file("src/cli.ts", { lines: 400, last_touched_at: "2020-01-01T00:00:00.000Z" }),
  file("<img src=x onerror=\"document.title='owned'\">.ts", { lines: 200 }),
  file("test/run.test.ts", { lines: 500, kind: "test" }),
  file("README.md", { lines: 800, kind: "other" }),
]);

/** Opens the map of some files, does something there, and expects that the page had no complaint. */
async function onPage(
  work: (browser: Browser) => Promise<void>,
  { report = REPORT, size = { width: 1280, height: 800, dark: false } } = {},
): Promise<void> {
  await using dir = await tempDir();
  await Bun.write(dir.join("map.html"), mapPage(report));
  await using browser = await startBrowser();
  await browser.open(pathToFileURL(dir.join("map.html")).href, size);
  await work(browser);
  expect(browser.complaints).toEqual([]);
  expect(browser.requests).toEqual([]);
}

const names = (browser: Browser, selector: string) =>
  browser.value<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent).sort()`,
  );
const text = (browser: Browser, selector: string) =>
  browser.value<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`);

const IN_BROWSER = test.skipIf(CHROMIUM === undefined);

IN_BROWSER("draws files by their size, hostile names as text, and asks for nothing", () =>
  onPage(async (browser) => {
    const folders = await names(browser, ".tile.folder > .name");
    expect(folders).toEqual(["engine", "src", "test"]);
    expect(await names(browser, ".tile:not(.folder) > .name")).toEqual([
      "<img src=x onerror=\"document.title='owned'\">.ts",
      "cli.ts",
      "parse.ts",
      "run.test.ts",
      "run.ts",
    ]);
    expect(await browser.value("document.title")).toBe("project: hotspots");
    expect(await browser.value("document.images.length")).toBe(0);
    const share = await browser.value<number>(`(() => {
      const area = (name) => {
        const tile = [...document.querySelectorAll(".tile:not(.folder)")].find((one) => one.textContent.startsWith(name));
        return tile.offsetWidth * tile.offsetHeight;
      };
      return area("run.ts") / area("parse.ts");
    })()`);
    expect(share).toBeGreaterThan(2.5);
    expect(share).toBeLessThan(3.5);
  }),
);

IN_BROWSER("zooms into a folder and back, by mouse, by crumbs and by the browser's way back", () =>
  onPage(async (browser) => {
    await browser.click(".tile.folder > .name");
    await browser.until("document.querySelector('#crumbs').innerText.includes('src')");
    expect(await names(browser, ".tile:not(.folder) > .name")).toEqual([
      "cli.ts",
      "parse.ts",
      "run.ts",
    ]);
    await browser.value("history.back()");
    await browser.until("document.querySelectorAll('.tile:not(.folder)').length === 5");
    await browser.click(".tile.folder > .name");
    await browser.until("document.querySelectorAll('.tile:not(.folder)').length === 3");
    await browser.click("#crumbs button");
    await browser.until("document.querySelectorAll('.tile:not(.folder)').length === 5");
  }),
);

IN_BROWSER("can be used with keys alone", () =>
  onPage(async (browser) => {
    const visited = new Set<string>();
    // The page draws itself again when it gets its size, which may take the focus away.
    for (let round = 0; round < 5 && visited.size <= 2; round++) {
      await browser.until(
        "document.querySelector('.tile[tabindex=\"0\"]').focus() || document.activeElement.matches('.tile')",
      );
      for (const key of ["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"]) {
        await browser.press(key);
        visited.add(await browser.value<string>("document.activeElement.textContent"));
      }
    }
    expect(visited.size).toBeGreaterThan(2);
    await browser.value(
      "[...document.querySelectorAll('.tile')].find((one) => one.innerText.startsWith('parse.ts')).focus()",
    );
    await browser.press("Enter");
    await browser.until("document.querySelector('#crumbs').innerText.includes('src')");
    expect(
      await browser.value("document.querySelector('#map').contains(document.activeElement)"),
    ).toBe(true);
    await browser.press("Escape");
    await browser.until("document.querySelectorAll('.tile:not(.folder)').length === 5");
    await browser.press("/");
    for (const key of "PARSE") await browser.press(key);
    expect(await text(browser, "#list-title")).toBe("1 match");
    expect(await names(browser, ".tile.match:not(.folder) > .name")).toEqual(["parse.ts"]);
    await browser.press("Escape");
    expect(await text(browser, "#list-title")).toBe("Hotspots");
  }),
);

IN_BROWSER("shows the numbers of what is pointed at, and of hotspots why they are some", () =>
  onPage(async (browser) => {
    expect((await text(browser, "#details")).replace(/\s+/g, " ")).toContain("Files 5");
    await browser.point(".tile:not(.folder)[aria-label*=parse]");
    const pointed = (await text(browser, "#details")).replace(/\s+/g, " ");
    expect(pointed).toContain("parse.ts Risk 20, low Lines 300");
    await browser.click("#list button");
    const said = (await text(browser, "#details")).replace(/\s+/g, " ");
    expect(said).toContain("Risk 99, high Lines 900 Commits 80 Fixes 20 (25 %)");
    expect(said).toContain("10 lines");
  }),
);

IN_BROWSER("colours by risk, commits or age, and leaves out kinds of files", () =>
  onPage(async (browser) => {
    const colour = () =>
      browser.value<string>(
        "[...document.querySelectorAll('.tile')].find((one) => one.innerText.startsWith('cli.ts')).style.backgroundColor",
      );
    const colours = [await colour()];
    for (const measure of ["commits", "age"]) {
      await browser.click(`label:has([value=${measure}])`);
      colours.push(await colour());
    }
    expect(new Set(colours).size).toBe(3);
    expect(await text(browser, "#scale-low")).toContain("years ago");
    await browser.click("label:has([value=test])");
    await browser.click("label:has([value=other])");
    const shown = await names(browser, ".tile:not(.folder) > .name");
    expect(shown).toContain("README.md");
    expect(shown).not.toContain("run.test.ts");
    for (const kind of ["code", "other"]) await browser.click(`label:has([value=${kind}])`);
    expect(await names(browser, ".tile")).toEqual([]);
  }),
);

const MANY: MapReport = mapOf(
  Array.from({ length: 3000 }, (_, at) => file(`${at % 40}/${at}.ts`, { lines: 1 + (at % 400) })),
);

IN_BROWSER("fits a phone, and a dark page", () =>
  onPage(
    async (browser) => {
      const wide = await browser.value("document.documentElement.scrollWidth");
      expect(wide).toBe(390);
      const ground = await browser.value("getComputedStyle(document.body).backgroundColor");
      expect(ground).toBe("rgb(19, 21, 25)");
      const outside = await browser.value(`(() => {
        const map = document.querySelector("#map").getBoundingClientRect();
        return [...document.querySelectorAll(".tile")].filter((tile) => {
          const box = tile.getBoundingClientRect();
          return box.right > map.right + 0.5 || box.bottom > map.bottom + 0.5;
        }).length;
      })()`);
      expect(outside).toBe(0);
    },
    { report: MANY, size: { width: 390, height: 844, dark: true } },
  ),
);
