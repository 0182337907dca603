/** Addresses that hold a password. */
import type { Draw } from "./draw.ts";
import type { Around, Sample } from "./sample.ts";

const PASSWORD_SYMBOLS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789!*_~.-";

function address(draw: Draw, scheme: string, at: string): Sample {
  const secret = draw.text(draw.between(12, 24), draw.pick([undefined, PASSWORD_SYMBOLS]));
  const url = `${scheme}://${draw.pick(["app", "svc_main", "deploy"])}:${secret}@${at}`;
  const [file, before, after] = draw.pick<Around>([
    [".env", "DATABASE_URL=", ""],
    ["src/db.ts", 'const pool = connect("', '");'],
    ["config/settings.py", "    URL = '", "'"],
    ["docker-compose.yml", "      - DATABASE_URL=", ""],
    ["deploy/values.yaml", "    url: ", ""],
    ["config.json", '  "url": "', '",'],
    ["README.md", "Connect with `", "`."],
  ]);
  return { file, text: `${before}${url}${after}`, secret };
}

export const ADDRESSES: Readonly<Record<string, (draw: Draw) => Sample>> = {
  "address: PostgreSQL": (draw) =>
    address(
      draw,
      draw.pick(["postgres", "postgresql", "postgresql+asyncpg"]),
      "db.prod.acme.io:5432/main",
    ),
  "address: MySQL": (draw) =>
    address(draw, draw.pick(["mysql", "mysql2", "mysql+pymysql"]), "10.1.2.3:3306/main"),
  "address: MongoDB": (draw) =>
    address(
      draw,
      draw.pick(["mongodb", "mongodb+srv"]),
      "cluster0.acme.mongodb.net/main?w=majority",
    ),
  "address: Redis": (draw) => address(draw, draw.pick(["redis", "rediss"]), "cache.acme.io:6379/0"),
  "address: AMQP": (draw) => address(draw, draw.pick(["amqp", "amqps"]), "mq.acme.io/main"),
  "address: JDBC": (draw) => {
    const secret = draw.text(16);
    const url = `jdbc:postgresql://db.acme.io:5432/main?user=app&${"password"}=${secret}`;
    return { file: "application.properties", text: `spring.datasource.url=${url}`, secret };
  },
  "address: basic auth": (draw) =>
    address(draw, draw.pick(["https", "http"]), "git.acme.io/team/project.git"),
  "address: without a user": (draw) => {
    const secret = draw.text(24);
    return { file: ".env", text: `REDIS_URL=redis://:${secret}@cache.acme.io:6379/0`, secret };
  },
};
