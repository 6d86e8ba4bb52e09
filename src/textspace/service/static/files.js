"use strict";
// Files of many texts, as tables: { kind, separator, names, rows, notes }. A row is a list of cells. Nothing leaves the page here.

const LONGEST_FILE = 20e6; // bytes
const MOST_COLUMNS = 16_384; // as Excel has it
const MOST_CELLS = 2e7; // with the empty ones between them
const MOST_ACCENTS = 0.3; // share of the letters of Western European text
const LOOKED_AT = 20; // rows, where the first one leaves open what the separator is

async function readFile(file, sheet) {
  const ending = file.name.toLowerCase().split(".").pop();
  if (file.size > LONGEST_FILE) throw new Error(tooLarge(file, LONGEST_FILE));
  if (ending === "xlsx") return readWorkbook(await file.arrayBuffer(), sheet);
  const notes = [];
  const content = decoded(new Uint8Array(await file.arrayBuffer()), notes);
  const table = ["jsonl", "ndjson", "json"].includes(ending) ? readJson(content, ending === "json")
    : readDelimited(content, ending === "csv" ? null : "\t");
  return { notes, sheets: [], ...table };
}

function tooLarge(file, most) {
  return `it has ${(file.size / 1e6).toFixed(1)} MB, and this page takes ${most / 1e6} MB: ` +
    'use "textspace predict" for larger files.';
}

// By its mark, by the zeros of UTF-16, else UTF-8; what is not that is Western European, or refused.
function decoded(bytes, notes) {
  const start = Array.from(bytes.subarray(0, 1000));
  const zeros = [0, 1].map((odd) => start.filter((byte, place) => byte === 0 && place % 2 === odd).length);
  if (bytes[0] === 0xff && bytes[1] === 0xfe || zeros[1] > start.length / 4) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff || zeros[0] > start.length / 4) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    let letters = 0, accents = 0;
    for (const byte of bytes) {
      if (byte > 127) accents++;
      else if ((byte | 32) >= 97 && (byte | 32) <= 122) letters++;
    }
    if (accents > MOST_ACCENTS * (letters + accents)) throw new Error("its encoding is not known: save it as UTF-8.");
    notes.push("Read as Western European text (cp1252).");
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// Each row gets a cell for each column, also where a small file names many columns in few rows.
function checkSize(columns, rows) {
  if (columns > MOST_COLUMNS) throw new Error(`it has ${columns.toLocaleString("en")} columns, and this page takes ${MOST_COLUMNS.toLocaleString("en")}: leave out those without texts.`);
  if (columns * rows > MOST_CELLS) throw new Error(`it has room for ${(columns * rows / 1e6).toFixed(0)} million cells, and this page takes ${MOST_CELLS / 1e6} million: leave out columns without texts.`);
}

// ---- JSON

function readJson(content, whole) {
  let rows = null;
  if (whole) {
    try {
      rows = JSON.parse(content);
    } catch { /* an object a line, then */ }
    if (rows && !Array.isArray(rows)) rows = Object.values(rows).find(Array.isArray) ?? [rows];
  }
  const kind = rows ? "json" : "jsonl";
  rows = (rows ?? parsedLines(content)).map((row) => typeof row === "string" ? { text: row } : row ?? {});
  const odd = rows.findIndex((row) => typeof row !== "object" || Array.isArray(row));
  if (odd >= 0) throw new Error(`row ${odd + 1} is no JSON object, such as {"text": "..."}.`);
  const names = [...new Set(rows.flatMap(Object.keys))];
  if (!names.length) throw new Error("there are no rows in it.");
  checkSize(names.length, rows.length);
  return { kind, names, rows: rows.map((row) => names.map((name) => row[name] ?? null)) };
}

function parsedLines(content) {
  return content.split("\n").flatMap((line, place) => {
    try {
      return line.trim() ? [JSON.parse(line)] : [];
    } catch {
      throw new Error(`line ${place + 1} is no JSON.`);
    }
  });
}

// ---- cells with a separator between them

function readDelimited(content, separator) {
  const said = /^sep=(.)\r?\n/i.exec(content); // a line by which Excel is told the separator
  if (said) content = content.slice(said[0].length);
  separator ??= said ? said[1] : likelySeparator(content);
  const [header, ...rows] = cells(content, separator);
  if (!rows.length) throw new Error("there are no rows below the header.");
  const wide = rows.findIndex((row) => row.slice(header.length).some(Boolean));
  if (wide >= 0) {
    throw new Error(`row ${wide + 1} has ${rows[wide].length} cells, but the first row names ${header.length}: ` +
      "delete what stands above the names of the columns, or quote cells that hold the separator.");
  }
  return { kind: separator === "\t" ? "tsv" : "csv", separator, ...withNames(header, rows) };
}

function likelySeparator(content) {
  const first = content.split(/[\r\n]/).find((line) => line.trim()) ?? "";
  const unquoted = first.replace(/"[^"]*"/g, "");
  const count = (sign) => unquoted.split(sign).length;
  const found = [",", ";", "\t", "|"].filter((sign) => count(sign) > 1).sort((a, b) => count(b) - count(a));
  const even = found.find((sign) => new Set(cells(content, sign, LOOKED_AT).map((row) => row.length)).size === 1);
  return even ?? found[0] ?? ",";
}

// Cells in quotes may hold separators, line ends, and quotes written twice. Blank lines are left out.
function cells(content, separator, most = Infinity) {
  const rows = [];
  let row = [], cell = "", quoted = false;
  const endCell = () => { row.push(cell); cell = ""; };
  const endRow = () => {
    endCell();
    if (row.length > 1 || row[0].trim()) rows.push(row);
    row = [];
  };
  for (let i = 0; i < content.length && rows.length < most; i++) {
    const letter = content[i];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (content[i + 1] === '"') { cell += '"'; i++; }
      else quoted = false;
    } else if (letter === '"' && !cell) quoted = true;
    else if (letter === separator) endCell();
    else if (letter === "\n" || letter === "\r") {
      endRow();
      if (letter === "\r" && content[i + 1] === "\n") i++;
    } else cell += letter;
  }
  if (quoted && most === Infinity) throw new Error("a field in quotes is never closed.");
  if (cell || row.length) endRow();
  return rows;
}

// Names of the columns by the first row; those without a name that are empty are left out.
function withNames(header, rows) {
  const isEmpty = (cell) => cell === null || cell === undefined || cell === "";
  const widthOf = (row) => row.findLastIndex((cell) => !isEmpty(cell)) + 1;
  const width = rows.reduce((most, row) => Math.max(most, widthOf(row)), widthOf(header));
  checkSize(width, rows.length);
  const kept = [...Array(width).keys()].filter((place) => !isEmpty(header[place]) || rows.some((row) => !isEmpty(row[place])));
  const names = kept.map((place) => String(header[place] ?? "").trim() || `column ${place + 1}`);
  const nameless = kept.filter((place) => isEmpty(header[place])).length;
  if (nameless > names.length - nameless) {
    throw new Error(`its first row names ${names.length - nameless} of ${names.length} columns: delete what stands above the names.`);
  }
  const seen = new Set();
  const twice = names.find((name) => seen.has(name) || !seen.add(name));
  if (twice !== undefined) throw new Error(`it names the column "${twice}" more than once: rename one of them.`);
  const filled = rows.filter((row) => !row.every(isEmpty));
  return { names, rows: filled.map((row) => kept.map((place) => row[place] ?? "")) };
}

// ---- what is written

const written = (cell) => cell === null || cell === undefined ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);

// What begins a formula gets an apostrophe before it, which spreadsheet programs take for "this is text"; also
// where a program divides cells that expects another delimiter.
function harmless(text) {
  if (/^[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?$/.test(text)) return text;
  const safe = text.replace(/([,;|\t\r\n]"*)(?=[=+\-@＝＋－＠])/g, "$1'");
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? "'" + safe : safe;
}

async function writtenFile({ kind, separator, names, rows }) {
  if (kind === "xlsx") return writeWorkbook(names, rows);
  if (kind === "json" || kind === "jsonl") {
    const objects = rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name, place) => [name, row[place]]))));
    return new Blob([kind === "json" ? `[\n${objects.join(",\n")}\n]\n` : objects.join("\n") + "\n"]);
  }
  const quote = (text) => [separator, '"', "\n", "\r"].some((sign) => text.includes(sign)) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [names, ...rows].map((row) => row.map((cell) => quote(harmless(written(cell)))).join(separator) + "\r\n");
  return new Blob(["\ufeff", ...lines]); // the mark tells Excel that it is UTF-8
}
