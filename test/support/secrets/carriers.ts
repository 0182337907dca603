/** What stands around a token that can be told by its form. */
import type { Draw } from "./draw.ts";
import type { Around, Sample } from "./sample.ts";

const CARRIERS: readonly [Around, ...Around[]] = [
  ["src/client.ts", 'const value = call("', '");'],
  ["src/client.ts", "  // was: ", ""],
  ["app/client.py", "    client = Client('", "', retries=3)"],
  ["cmd/main.go", '\tclient := New("', '")'],
  ["src/Main.java", '    var client = new Client("', '");'],
  ["bin/deploy.sh", "tool login --as ann ", ""],
  ["bin/deploy.sh", "curl -H 'Authorization: Bearer ", "' https://api.acme.io/v1/things"],
  [".env", "VALUE=", ""],
  [".env.production", 'VALUE="', '"'],
  ["deploy/values.yaml", "    value: ", ""],
  ["deploy/values.yaml", "    - ", ""],
  ["config.json", '  "value": "', '",'],
  ["pyproject.toml", 'value = "', '"'],
  ["README.md", "Use `", "` for now."],
  ["notes.txt", "ann said ", " works"],
  ["data/people.csv", "ann,", ",3"],
  ["web/app.xml", "  <value>", "</value>"],
  ["logs/today.log", "2026-01-02T03:04:05Z INFO request with ", " took 3 ms"],
  ["Dockerfile", "ENV VALUE=", ""],
  ["tests/client_test.py", '    call("', '")'],
];

export function carried(draw: Draw, secret: string): Sample {
  const [file, before, after] = draw.pick(CARRIERS);
  return { file, text: `${before}${secret}${after}`, secret };
}
