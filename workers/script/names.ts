/** Functions under dotted names, such as `pallium.task.start`. */
export type Api = { [name: string]: Api | ((...given: unknown[]) => unknown) };

export function putUnder(api: Api, name: string, value: Api[string]): void {
  const path = name.split(".");
  const last = path.pop() ?? name;
  let owner = api;
  for (const part of path) owner = memberOf(owner, part);
  owner[last] = value;
}

function memberOf(owner: Api, name: string): Api {
  const member = owner[name];
  if (typeof member === "object") return member;
  const created: Api = {};
  owner[name] = created;
  return created;
}
