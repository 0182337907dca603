/** An exported page in a real Chromium: what was said is text there, in light and in dark. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exportSessions } from "../../src/sessions/export/export-sessions.ts";
import { CHROMIUM, startBrowser } from "../support/browser.ts";
import { HOSTILE, writeHostileSession } from "../support/hostile-session.ts";
import { testIndex } from "../support/transcripts/index.ts";

if (CHROMIUM === undefined) {
  console.log("skipped: exported sessions in a browser, since there is no Chromium on PATH");
}

/** Contrast of two colours as `rgb(…)`, as WCAG has it. */
const CONTRAST = `((element) => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const seen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const solid = (...colours) => {
    for (const colour of colours) { seen.fillStyle = colour; seen.fillRect(0, 0, 1, 1); }
    return [...seen.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const back = [getComputedStyle(document.body).backgroundColor, getComputedStyle(element).backgroundColor];
  const [a, b] = [light(solid(...back)), light(solid(...back, getComputedStyle(element).color))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
})`;

test.skipIf(CHROMIUM === undefined)(
  "an exported page runs nothing, asks for nothing, and can be read in light and dark",
  async () => {
    await using index = await testIndex();
    await writeHostileSession(index);
    const out = join(index.directory, "export.html");
    await exportSessions(index.database, { ids: ["hostile"], format: "html", out }, new Date());
    await using browser = await startBrowser();
    for (const dark of [false, true]) {
      await browser.open(pathToFileURL(out).href, { width: 900, height: 800, dark });
      expect(await browser.value<string>("document.title")).toBe("Sessions of agents");
      expect(await browser.value<number>("document.scripts.length + document.images.length")).toBe(
        0,
      );
      const texts = await browser.value<string[]>(
        "[...document.querySelectorAll('article pre')].map((one) => one.textContent)",
      );
      expect(texts).toHaveLength(5);
      expect(texts[0]).toBe(`Look at ${HOSTILE.image} ${HOSTILE.close}`);
      expect(texts[1]).toContain(HOSTILE.script);
      expect(
        await browser.value<string[]>(
          "[...document.querySelectorAll('h1')].map((one) => one.textContent)",
        ),
      ).toEqual([`# ${HOSTILE.script}`]);
      const contrasts = await browser.value<number[]>(
        `[...document.querySelectorAll('pre, dt, time, h1, .warning')].map(${CONTRAST})`,
      );
      expect(Math.min(...contrasts)).toBeGreaterThan(4.5);
      const wide = "document.documentElement.scrollWidth <= innerWidth";
      expect(await browser.value<boolean>(wide)).toBe(true);
    }
    expect(browser.complaints).toEqual([]);
    expect(browser.requests).toEqual([]);
  },
);
