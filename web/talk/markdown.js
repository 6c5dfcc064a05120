// The little Markdown a reply uses, turned into elements and text nodes: never
// into HTML text.

const bullet = /^\s{0,3}[-*+]\s+(.*)$/;
const numbered = /^\s{0,3}(\d{1,9})[.)]\s+(.*)$/;
const heading = /^(#{1,6})\s+(.*?)\s*#*$/;
const quoted = /^\s{0,3}>\s?(.*)$/;
const fence = /^\s{0,3}(```|~~~)/;
const inlineMark =
  /\\([!-/:-@[-`{-~])|(`+)(.{1,2000}?)\2|\*\*(?=\S)(.{1,2000}?)(?<=\S)\*\*|\*(?=\S)(.{1,2000}?)(?<=\S)\*|(?<!\w)_(?=\S)(.{1,2000}?)(?<=\S)_(?!\w)|\[([^\][]{1,500})\]\((\S{1,2000}?)\)/su;

/**
 * parse reads text and returns nodes: strings, or {tag, children} with start on
 * numbered lists and href on links.
 */
export function parse(text) {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const out = [];
  for (let at = 0; at < lines.length; ) {
    const [node, next] = block(lines, at);
    if (node) out.push(node);
    at = next;
  }
  return out;
}

/** build makes DOM nodes of what parse returned. */
export function build(nodes, doc = document) {
  return nodes.map((node) => {
    if (typeof node === "string") return doc.createTextNode(node);
    const element = doc.createElement(node.tag);
    if (node.start > 1) element.setAttribute("start", String(node.start));
    if (node.href) {
      element.setAttribute("href", node.href);
      element.setAttribute("rel", "nofollow noopener noreferrer");
      element.setAttribute("target", "_blank");
    }
    element.append(...build(node.children ?? [], doc));
    return element;
  });
}

/**
 * update makes parent's children, from the one at from on, what nodes say. What
 * only grew stays in the page, so that a selection in it survives.
 */
export function update(parent, nodes, from = 0) {
  nodes.forEach((node, i) => {
    const there = parent.childNodes[from + i];
    if (!there) parent.append(...build([node]));
    else if (!grown(there, node)) there.replaceWith(...build([node]));
  });
  while (parent.childNodes.length > from + nodes.length) parent.lastChild.remove();
}

/** Makes what is there say what node does; false where it cannot. */
function grown(there, node) {
  if (typeof node === "string") {
    if (there.nodeType !== Node.TEXT_NODE || !node.startsWith(there.data)) return false;
    there.appendData(node.slice(there.length));
    return true;
  }
  if (there.localName !== node.tag || there.getAttribute("href") !== (node.href ?? null)) return false;
  update(there, node.children ?? []);
  return true;
}

/** settledUpTo returns how much of a text that grows is sure to be read the same way: all before its last blank line. */
export function settledUpTo(text) {
  const end = text.lastIndexOf("\n\n") + 2;
  const fences = text.slice(0, end).match(/^\s{0,3}(```|~~~)/gm) ?? [];
  return end < 2 || fences.length % 2 === 1 ? 0 : end;
}

function block(lines, at) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (fence.test(line)) return code(lines, at);
  if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) return [{ tag: "hr" }, at + 1];
  const title = heading.exec(line);
  if (title) return [{ tag: `h${Math.min(title[1].length + 2, 6)}`, children: inline(title[2]) }, at + 1];
  if (bullet.test(line)) return list(lines, at, "ul", bullet, 1);
  if (numbered.test(line)) return list(lines, at, "ol", numbered, 2);
  if (quoted.test(line)) return quote(lines, at);
  return paragraph(lines, at);
}

function code(lines, at) {
  const mark = fence.exec(lines[at])[1];
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(mark)) end++;
  const body = lines.slice(at + 1, end).join("\n");
  return [{ tag: "pre", children: [{ tag: "code", children: [body] }] }, end + 1];
}

function list(lines, at, tag, item, group) {
  const items = [];
  let end = at;
  for (; end < lines.length && lines[end].trim(); end++) {
    const m = item.exec(lines[end]);
    if (m) items.push(m[group]);
    else if (/^\s+\S/.test(lines[end])) items[items.length - 1] += `\n${lines[end].trim()}`;
    else break;
  }
  const node = { tag, children: items.map((text) => ({ tag: "li", children: inline(text) })) };
  if (tag === "ol") node.start = Number(numbered.exec(lines[at])[1]);
  return [node, end];
}

function quote(lines, at) {
  let end = at;
  const inner = [];
  for (let m = quoted.exec(lines[end]); m; m = end < lines.length ? quoted.exec(lines[end]) : null) {
    inner.push(m[1]);
    end++;
  }
  return [{ tag: "blockquote", children: parse(inner.join("\n")) }, end];
}

function paragraph(lines, at) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && ![bullet, heading, quoted, fence].some((r) => r.test(lines[end]))) end++;
  const children = lines
    .slice(at, end)
    .flatMap((line, i, all) => [...inline(line.trim()), ...(i === all.length - 1 ? [] : / {2,}$/.test(line) ? [{ tag: "br" }] : ["\n"])]);
  return [{ tag: "p", children }, end];
}

function inline(text) {
  const out = [];
  for (let rest = text; rest; ) {
    const m = inlineMark.exec(rest);
    if (!m) return [...out, rest];
    if (m.index > 0) out.push(rest.slice(0, m.index));
    out.push(...mark(m));
    rest = rest.slice(m.index + m[0].length);
  }
  return out;
}

function mark([all, escaped, , code, bold, star, underscore, label, address]) {
  if (escaped) return [escaped];
  if (code) return [{ tag: "code", children: [code.trim()] }];
  if (bold) return [{ tag: "strong", children: inline(bold) }];
  if (star ?? underscore) return [{ tag: "em", children: inline(star ?? underscore) }];
  return label ? link(label, address, all) : [all];
}

/** Only addresses on the web become links, and they say where they lead. */
function link(label, address, all) {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return [all];
  const { host } = new URL(address);
  const node = { tag: "a", href: address, children: inline(label) };
  return label.includes(host) ? [node] : [node, ` (${host})`];
}
