"use strict";
// Workbooks (.xlsx): ZIP archives of XML. One sheet is read, or written.

const LARGEST_PART = 2e8; // bytes of an unpacked part: more is no honest workbook
const MOST_TAGS = 5e6; // in it: a browser takes seconds for these
const MOST_SHEET_ROWS = 1_048_576; // as Excel has it
const DAYS_TO_1970 = 25569; // from the first day of a sheet; four years fewer where it counts from 1904

// ---- the archive

function archiveParts(buffer) {
  const view = new DataView(buffer);
  const damaged = () => new Error("it is damaged, protected by a password or no .xlsx workbook: save it again as .xlsx.");
  let end = buffer.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw damaged();
  const parts = new Map();
  let at = view.getUint32(end + 16, true);
  for (let number = view.getUint16(end + 10, true); number > 0; number--) {
    if (at + 46 > buffer.byteLength || view.getUint32(at, true) !== 0x02014b50) throw damaged();
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(buffer, at + 46, length));
    const local = view.getUint32(at + 42, true);
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const packed = new Uint8Array(buffer, from, view.getUint32(at + 20, true));
    parts.set(name.replace(/^\//, ""), { isPacked: view.getUint16(at + 10, true) === 8, packed });
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return parts;
}

async function partXml(parts, name) {
  const part = parts.get(name);
  if (!part) return null;
  let stream = new Blob([part.packed]).stream();
  if (part.isPacked) stream = stream.pipeThrough(new DecompressionStream("deflate-raw"));
  const pieces = [];
  let size = 0, tags = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    for (const byte of value) if (byte === 60) tags++; // "<"
    if (size > LARGEST_PART || tags > MOST_TAGS) throw new Error("it is too large when unpacked.");
    pieces.push(value);
  }
  return new DOMParser().parseFromString(await new Blob(pieces).text(), "application/xml");
}

// ---- reading

async function readWorkbook(buffer, wanted) {
  try {
    return await sheetIn(archiveParts(buffer), wanted);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw new Error("it is damaged: save it again as .xlsx.");
    throw error;
  }
}

async function sheetIn(parts, wanted) {
  const book = await partXml(parts, "xl/workbook.xml");
  const links = await partXml(parts, "xl/_rels/workbook.xml.rels");
  if (!book || !links) throw new Error("it is no .xlsx workbook: save it again as .xlsx.");
  const targets = new Map(all(links, "Relationship").map((link) => [link.getAttribute("Id"), link.getAttribute("Target")]));
  const pathOf = (sheet) => {
    const target = targets.get(sheet.getAttribute("r:id")) ?? "";
    return target.startsWith("/") ? target.slice(1) : "xl/" + target;
  };
  const shared = children((await partXml(parts, "xl/sharedStrings.xml"))?.documentElement, "si").map(textIn);
  const dates = dateStyles(await partXml(parts, "xl/styles.xml"));
  const from1904 = all(book, "workbookPr").some((each) => ["1", "true"].includes(each.getAttribute("date1904")));
  const sheets = all(book, "sheet").map((sheet) => sheet.getAttribute("name"));
  for (const sheet of all(book, "sheet")) {
    if (wanted && sheet.getAttribute("name") !== wanted) continue;
    const rows = sheetRows(await partXml(parts, pathOf(sheet)), shared, dates, from1904 ? DAYS_TO_1970 - 1462 : DAYS_TO_1970);
    if (rows.length < 2) continue;
    const [header, ...below] = withoutEmptyColumns(rows);
    return { kind: "xlsx", sheets, sheet: sheet.getAttribute("name"), notes: [], ...withNames(header, below) };
  }
  throw new Error("there are no rows below the header.");
}

const all = (xml, name) => xml ? [...xml.getElementsByTagNameNS("*", name)] : [];
const children = (node, name) => [...node?.children ?? []].filter((child) => child.localName === name);
// What is spoken (rPh) stands beside Japanese text, and is no part of it.
const textIn = (item) => all(item, "t").filter((part) => part.parentNode.localName !== "rPh").map((part) => part.textContent).join("");

// Numbers of the styles that show a number as a day or a time.
function dateStyles(styles) {
  const formats = new Map(all(styles, "numFmt").map((each) => [each.getAttribute("numFmtId"), each.getAttribute("formatCode")]));
  const isDate = (id) => (id >= 14 && id <= 22) || (id >= 45 && id <= 47) ||
    /[ymdhs]/i.test((formats.get(String(id)) ?? "").replace(/"[^"]*"|\[[^\]]*\]|\\./g, "").replace(/general/i, ""));
  const own = all(styles, "cellXfs")[0];
  return new Set(all(own, "xf").flatMap((xf, place) => isDate(Number(xf.getAttribute("numFmtId"))) ? [place] : []));
}

function columnOf(reference) {
  return [.../^[A-Z]+/.exec(reference)[0]].reduce((number, letter) => 26 * number + letter.charCodeAt(0) - 64, 0) - 1;
}

// Room is made for what lies between the cells, so a few of them that are far apart would fill the memory.
function sheetRows(xml, shared, dates, epoch) {
  const rows = [];
  let room = 0;
  const take = (cells) => {
    room += cells;
    if (room > MOST_CELLS) throw new Error("its cells lie too far apart, or are too many: copy those with texts into a workbook of their own.");
  };
  for (const [place, row] of children(all(xml, "sheetData")[0], "row").entries()) {
    const cells = [];
    for (const [position, cell] of children(row, "c").entries()) {
      const reference = cell.getAttribute("r");
      cells[reference ? columnOf(reference) : position] = cellValue(cell, shared, dates, epoch);
    }
    const number = Number(row.getAttribute("r") ?? place + 1);
    if (number > MOST_SHEET_ROWS || cells.length > MOST_COLUMNS) throw new Error("it has cells where a workbook can have none: save it again as .xlsx.");
    take(cells.length);
    rows[number - 1] = Array.from(cells, (value) => value ?? "");
  }
  for (const merged of all(xml, "mergeCell")) fillMerged(rows, merged.getAttribute("ref"), take);
  return rows.filter((row) => row && row.some((cell) => cell !== ""));
}

function cellValue(cell, shared, dates, epoch) {
  const kind = cell.getAttribute("t");
  if (kind === "inlineStr") return textIn(cell);
  const value = all(cell, "v")[0]?.textContent ?? "";
  if (kind === "s") return shared[value] ?? "";
  if (kind === "b") return value === "1";
  if (kind === "e") return "";
  if (kind === "str" || kind === "d" || value === "") return value;
  if (!dates.has(Number(cell.getAttribute("s")))) return Number(value);
  const date = new Date(Math.round((value - epoch) * 86400) * 1000);
  if (isNaN(date)) return Number(value); // before or after all days
  const [day, time] = date.toISOString().split("T");
  return time.startsWith("00:00:00") ? day : `${day} ${time.slice(0, 8)}`;
}

function fillMerged(rows, range, take) {
  const [from, to] = range.split(":").map((each) => [Number(/\d+/.exec(each)[0]) - 1, columnOf(each)]);
  if (!to) return;
  const value = rows[from[0]]?.[from[1]] ?? "";
  const last = [Math.min(to[0], rows.length - 1), Math.min(to[1], (rows[from[0]]?.length ?? 0) - 1)];
  take(Math.max(0, last[0] - from[0] + 1) * Math.max(1, last[1] - from[1] + 1));
  for (let row = from[0]; row <= last[0]; row++) {
    if (!rows[row]) continue;
    for (let column = from[1]; column <= last[1]; column++) rows[row][column] = value;
  }
}

// A sheet may begin some columns to the right.
function withoutEmptyColumns(rows) {
  const first = rows.reduce((least, row) => Math.min(least, row.findIndex((cell) => (cell ?? "") !== "")), Infinity);
  return rows.map((row) => row.slice(first));
}

// ---- writing

const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml.";
const LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/";
const SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const LONGEST_CELL = 32767; // characters, as Excel has it

// Texts are written as such, so that none is run as a formula.
function writeWorkbook(names, rows) {
  const link = (id, kind, target) => `<Relationship Id="${id}" Type="${LINKS}/${kind}" Target="${target}"/>`;
  const links = (inner) => `<Relationships xmlns="${PACKAGE}relationships">${inner}</Relationships>`;
  const escaped = (text) => text.slice(0, LONGEST_CELL).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, " ")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\r", "&#13;");
  const cell = (value) => typeof value === "number" ? `<c><v>${value}</v></c>`
    : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(written(value))}</t></is></c>`;
  const lines = [names, ...rows].map((row) => `<row>${row.map(cell).join("")}</row>`);
  return zipped({
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}worksheet+xml"/></Types>`,
    "_rels/.rels": links(link("rId1", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `<workbook xmlns="${SHEETS}" xmlns:r="${LINKS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": links(link("rId1", "worksheet", "worksheets/sheet1.xml")),
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${SHEETS}"><sheetData>${lines.join("")}</sheetData></worksheet>`,
  });
}

async function zipped(parts) {
  const local = [], central = [];
  let offset = 0;
  for (const [name, xml] of Object.entries(parts)) {
    const content = new TextEncoder().encode('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + xml);
    const packing = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const packed = new Uint8Array(await new Response(packing).arrayBuffer());
    const title = new TextEncoder().encode(name);
    // version, flags, deflated, a time and a day, checksum, sizes, length of the name, no more fields
    const about = [[2, 20], [2, 0x800], [2, 8], [2, 0], [2, 33], [4, crc32(content)], [4, packed.length], [4, content.length], [2, title.length], [2, 0]];
    const opening = littleEndian([[4, 0x04034b50], ...about]);
    local.push(opening, title, packed);
    central.push(littleEndian([[4, 0x02014b50], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), title);
    offset += opening.length + title.length + packed.length;
  }
  const size = central.reduce((sum, piece) => sum + piece.length, 0);
  const count = Object.keys(parts).length;
  const end = littleEndian([[4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]]);
  return new Blob([...local, ...central, end]);
}

// Bytes of numbers, each given with how many bytes it has.
function littleEndian(numbers) {
  return Uint8Array.from(numbers.flatMap(([bytes, number]) => Array.from({ length: bytes }, (_, place) => (number >>> (8 * place)) & 255)));
}

function crc32(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}
