/** Private keys of every kind: the right marks and lengths around random letters. */
import { BASE64, type Draw, HEX, URL_SAFE } from "./draw.ts";
import type { Sample } from "./sample.ts";

interface PemKind {
  readonly label: string;
  /** What the encoded key begins with, and how many random characters follow. */
  readonly starts: string;
  readonly length: number;
  readonly headers?: readonly string[];
  readonly file: string;
}

const ENCRYPTED = [
  "Proc-Type: 4,ENCRYPTED",
  "DEK-Info: AES-256-CBC,0A1B2C3D4E5F60718293A4B5C6D7E8F9",
];
const PEM_KINDS: Readonly<Record<string, PemKind>> = {
  RSA: { label: "RSA ", starts: `MI${"IEow"}IBAAKCAQEA`, length: 1580, file: "tls/server.key" },
  "RSA with a password": {
    label: "RSA ",
    starts: "",
    length: 1596,
    headers: ENCRYPTED,
    file: "tls/server.key",
  },
  EC: { label: "EC ", starts: `MH${"cCAQ"}EEI`, length: 155, file: "tls/ec.pem" },
  DSA: { label: "DSA ", starts: `MI${"IBug"}IBAAKBgQ`, length: 580, file: "id_dsa" },
  "PKCS #8": {
    label: "",
    starts: `MI${"IEvg"}IBADANBgkqhkiG9w0BAQEF`,
    length: 1590,
    file: "a.pem",
  },
  "PKCS #8, Ed25519": {
    label: "",
    starts: `MC${"4CAQ"}AwBQYDK2VwBCIEI`,
    length: 43,
    file: "a.pem",
  },
  "PKCS #8, encrypted": {
    label: "ENCRYPTED ",
    starts: `MI${"IFHD"}BO`,
    length: 1700,
    file: "a.pem",
  },
  OpenSSH: {
    label: "OPENSSH ",
    starts: `b3BlbnNzaC1rZXktdjEAAAAA${"BG5v"}bmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW`,
    length: 280,
    file: "id_ed25519",
  },
};

interface Pem {
  readonly begin: string;
  readonly headers: readonly string[];
  readonly lines: readonly string[];
  readonly end: string;
}

function drawPem({ text }: Draw, { label, starts, length, headers = [] }: PemKind): Pem {
  const mark = (word: string) => `-----${word} ${label}PRIVATE ${"KEY"}-----`;
  const body = `${starts}${text(length, BASE64)}`;
  return {
    begin: mark("BEGIN"),
    headers: headers.length === 0 ? [] : [...headers, ""],
    lines: body.match(/.{1,64}/g) ?? [],
    end: mark("END"),
  };
}

function linesOf({ begin, headers, lines, end }: Pem): readonly string[] {
  return [begin, ...headers, ...lines, end];
}

function sample(file: string, text: string, { lines }: Pem): Sample {
  return { file, text, secret: lines.at(0) ?? "" };
}

type Make = (draw: Draw) => Sample;

const WHOLE: Readonly<Record<string, Make>> = Object.fromEntries(
  Object.entries(PEM_KINDS).map(([name, kind]) => [
    `private key: ${name}`,
    (draw: Draw) => {
      const pem = drawPem(draw, kind);
      return sample(kind.file, linesOf(pem).join("\n"), pem);
    },
  ]),
);

const drawAny = (draw: Draw) =>
  drawPem(draw, PEM_KINDS[draw.pick(["RSA", "EC", "PKCS #8"])] ?? NEVER);
const NEVER: PemKind = { label: "", starts: "", length: 1600, file: "" };

export const KEYS: Readonly<Record<string, Make>> = {
  ...WHOLE,
  "private key: PGP": (draw) => {
    const pem = drawPem(draw, { label: "PGP ", starts: "lQ", length: 1500, file: "" });
    const mark = (text: string) => text.replace("KEY-", "KEY BLOCK-");
    const text = [mark(pem.begin), "", ...pem.lines, `=${draw.text(4, BASE64)}`, mark(pem.end)];
    return sample("signing.asc", text.join("\n"), pem);
  },
  "private key: PuTTY": (draw) => {
    const pem = drawPem(draw, { label: "", starts: "AAAA", length: 700, file: "" });
    const head = ["PuTTY-User-Key-File-3: ssh-rsa", "Encryption: none", "Comment: ann@acme"];
    const lines = [`Private-Lines: ${pem.lines.length}`, ...pem.lines];
    const mac = `Private-MAC: ${draw.text(64, HEX)}`;
    return sample("server.ppk", [...head, ...lines, mac].join("\n"), pem);
  },
  "private key: SSH2": (draw) => {
    const pem = drawPem(draw, {
      label: "",
      starts: "P2/56wAAAi4AAAA3aWYtbW",
      length: 600,
      file: "",
    });
    const mark = (word: string) => `---- ${word} SSH2 ENCRYPTED PRIVATE ${"KEY"} ----`;
    return sample("id_ssh2", [mark("BEGIN"), ...pem.lines, mark("END")].join("\n"), pem);
  },
  "private key: end missing": (draw) => {
    const pem = drawAny(draw);
    const kept = pem.lines.slice(0, draw.between(2, pem.lines.length));
    return sample("notes.txt", [pem.begin, ...kept].join("\n"), pem);
  },
  "private key: beginning missing": (draw) => {
    const pem = drawAny(draw);
    const kept = pem.lines.slice(draw.between(0, pem.lines.length - 2));
    return sample("notes.txt", [...kept, pem.end].join("\n"), { ...pem, lines: kept });
  },
  "private key: one line, escaped": (draw) => {
    const pem = drawAny(draw);
    return sample(".env", `VALUE="${linesOf(pem).join("\\n")}\\n"`, pem);
  },
  "private key: indented in YAML": (draw) => {
    const pem = drawAny(draw);
    const lines = linesOf(pem).map((line) => `    ${line}`);
    return sample("deploy/values.yaml", ["  value: |", ...lines].join("\n"), pem);
  },
  "private key: joined in program text": (draw) => {
    const pem = drawAny(draw);
    const lines = linesOf(pem).map((line) => `  "${line}\\n" +`);
    return sample("src/keys.ts", ["const value =", ...lines, '  "";'].join("\n"), pem);
  },
  "private key: commented out": (draw) => {
    const pem = drawAny(draw);
    const mark = draw.pick(["# ", "// ", " * "]);
    return sample(
      "src/keys.rb",
      linesOf(pem)
        .map((line) => `${mark}${line}`)
        .join("\n"),
      pem,
    );
  },
  "private key: in base64": (draw) => {
    const pem = drawAny(draw);
    const secret = Buffer.from(`${linesOf(pem).join("\n")}\n`).toString("base64");
    return { file: "deploy/secret.yaml", text: `  tls.key: ${secret}`, secret };
  },
  "private key: service account": (draw) => {
    const pem = drawPem(draw, PEM_KINDS["PKCS #8"] ?? NEVER);
    const account = {
      type: "service_account",
      project_id: "acme-main",
      private_key_id: draw.text(40, HEX),
      private_key: `${linesOf(pem).join("\n")}\n`,
      client_email: "deploy@acme-main.iam.gserviceaccount.com",
    };
    const indent = draw.pick([0, 2]);
    return sample("service-account.json", JSON.stringify(account, undefined, indent), pem);
  },
  "private key: JSON Web Key": ({ text, pick }) => {
    const secret = text(pick([43, 342]), URL_SAFE);
    const key = {
      kty: "EC",
      crv: "P-256",
      x: text(43, URL_SAFE),
      y: text(43, URL_SAFE),
      d: secret,
    };
    return { file: "keys/jwk.json", text: JSON.stringify(key, undefined, pick([0, 2])), secret };
  },
  "private key: WireGuard": ({ text }) => {
    const secret = `${text(43, BASE64)}=`;
    return { file: "wg0.conf", text: `[Interface]\nPrivateKey = ${secret}`, secret };
  },
};
