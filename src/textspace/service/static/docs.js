"use strict";
// Shows /openapi.json as tables.

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const EXAMPLES = {
  "/predict": { texts: ["Corn prices rose", "A tanker ran aground"], top: 2 },
  "/explain": { text: "Corn prices rose" },
  "/corrections": { text: "Corn prices rose", label: "grain" },
};

function find(description, schema) {
  return schema?.$ref ? description.components.schemas[schema.$ref.split("/").pop()] : schema ?? {};
}

function kind(schema) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.anyOf) return schema.anyOf.filter(({ type }) => type !== "null").map(kind).join(" or ");
  if (schema.type === "array") return schema.prefixItems ? `(${schema.prefixItems.map(kind).join(", ")})` : `list of ${kind(schema.items)}`;
  if (schema.additionalProperties?.type) return `object of ${kind(schema.additionalProperties)}`;
  return schema.type ?? "anything";
}

function range(schema) {
  const { minimum, maximum } = [schema, ...(schema.anyOf ?? [])].find((each) => each.minimum !== undefined) ?? {};
  if (minimum === undefined) return "";
  return maximum === undefined ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`;
}

function fields(schema, given) {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const cells = [element("td", {}, element("code", { textContent: name })), element("td", { textContent: kind(field) + range(field) })];
    if (given) {
      const needed = schema.required?.includes(name);
      cells.push(element("td", { textContent: needed ? "needed" : (field.default ?? "none") }));
    }
    cells.push(element("td", { textContent: field.description ?? "" }));
    return element("tr", {}, ...cells);
  });
  const heads = given ? ["field", "type", "default", "meaning"] : ["field", "type", "meaning"];
  const head = element("tr", {}, ...heads.map((name) => element("th", { textContent: name })));
  return element("div", { className: "scroll" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)));
}

function curl(path, method, secured) {
  const parts = [`curl ${location.origin}${path}`];
  if (secured) parts.push("-H 'Authorization: Bearer TOKEN'");
  if (method === "post") parts.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(EXAMPLES[path])}'`);
  return parts.join(" \\\n  ");
}

// What an answer is made of, down to the parts of its parts.
function parts(description, schema, seen = new Set()) {
  const tables = [];
  const name = schema.$ref?.split("/").pop();
  const found = find(description, schema);
  if (!found.properties || seen.has(name)) return tables;
  seen.add(name);
  if (seen.size > 1) tables.push(element("h3", { textContent: name }));
  tables.push(fields(found, false));
  for (const field of Object.values(found.properties)) {
    tables.push(...parts(description, field.items ?? field, seen));
  }
  return tables;
}

function route(description, path, method, about) {
  const section = element("section", { className: "route" },
    element("h2", {}, element("span", { className: "method", textContent: method.toUpperCase() }), element("code", { textContent: path })),
    element("p", { textContent: about.description }),
    element("pre", { tabIndex: 0 }, element("code", { textContent: curl(path, method, Boolean(about.security) && !["/live", "/ready"].includes(path)) })));
  const sent = about.requestBody?.content["application/json"]?.schema;
  if (sent) section.append(element("h3", { textContent: "Request" }), fields(find(description, sent), true));
  const status = Object.keys(about.responses).find((code) => code.startsWith("2"));
  const answer = about.responses[status].content?.["application/json"]?.schema;
  if (answer?.$ref) section.append(element("h3", { textContent: `Answer ${status}` }), ...parts(description, answer));
  return section;
}

async function start() {
  const response = await fetch("/openapi.json");
  const description = await response.json();
  const { info, paths } = description;
  document.getElementById("about").textContent =
    `Version ${info.version}. ${info.description} What is refused is answered with {"error": "a sentence"}.`;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, about] of Object.entries(methods)) {
      document.getElementById("routes").append(route(description, path, method, about));
    }
  }
}

start();
