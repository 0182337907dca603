/**
 * Colours that grow darker on a light page and lighter on a dark one, so that they can be told
 * apart without seeing hues.
 */

const SCALES = {
  risk: {
    light: [
      [0, "#eceef1"],
      [0.5, "#faead8"],
      [0.75, "#fbcfa0"],
      [0.9, "#f29058"],
      [0.97, "#cf3f2c"],
      [1, "#7d0b12"],
    ],
    dark: [
      [0, "#2a2e36"],
      [0.5, "#3f302f"],
      [0.75, "#6b3a2c"],
      [0.9, "#b3542f"],
      [0.97, "#f38a44"],
      [1, "#ffe29a"],
    ],
  },
  commits: {
    light: [
      [0, "#eceef1"],
      [0.4, "#b7cbe3"],
      [0.7, "#8c86c0"],
      [1, "#5a1266"],
    ],
    dark: [
      [0, "#2a2e36"],
      [0.4, "#3d4372"],
      [0.7, "#7c6cc6"],
      [1, "#e3c6ff"],
    ],
  },
  age: {
    light: [
      [0, "#eceef1"],
      [0.4, "#b5dcd0"],
      [0.7, "#54ad8c"],
      [1, "#0b4a2b"],
    ],
    dark: [
      [0, "#2a2e36"],
      [0.4, "#26504b"],
      [0.7, "#35997f"],
      [1, "#c2f7d6"],
    ],
  },
};

/** The stops of a measure's scale: places from 0 to 1, each with its colour. */
export function stopsOf(measure, isDark) {
  return SCALES[measure][isDark ? "dark" : "light"];
}

/** The colour at a place of the scale, as `rgb(…)`, and whether dark ink is to stand on it. */
export function colourAt(stops, place) {
  const next = Math.max(
    1,
    stops.findIndex(([at]) => at >= place),
  );
  const [from, low] = stops[next - 1];
  const [to, high] = stops[next];
  const share = Math.min(1, Math.max(0, (place - from) / (to - from)));
  const rgb = [1, 3, 5].map((at) => {
    const [a, b] = [low, high].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round(a + (b - a) * share);
  });
  return { css: `rgb(${rgb.join(" ")})`, darkInk: luminance(rgb) > 0.2 };
}

/** Relative luminance as WCAG 2 defines it; at 0.18 black and white ink are equally readable. */
function luminance(rgb) {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A function from a file to its place on the scale, 0 to 1. `range` is what the files reach. */
export function placeOn(measure, range) {
  if (measure === "risk") return ({ risk }) => risk / 100;
  if (measure === "commits") {
    return ({ commits }) => Math.log1p(commits) / Math.log1p(Math.max(1, range.commits));
  }
  const [newest, oldest] = [Math.log1p(range.newest), Math.log1p(range.oldest)];
  const reach = Math.max(0.1, oldest - newest);
  return ({ days }) => (days === undefined ? 0 : (oldest - Math.log1p(days)) / reach);
}
