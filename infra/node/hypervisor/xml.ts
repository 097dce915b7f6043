/** Just enough XML for libvirt's documents: elements, attributes and text, no DTD, no CDATA. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** All text directly in the element, trimmed. */
  readonly text: string;
}

interface Building {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

/** Comment or declaration; closing tag; opening tag with attributes; text. */
const TOKEN =
  /<!--[\s\S]*?-->|<[?!][^>]*>|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:\s+[^\s=>]+\s*=\s*(?:'[^']*'|"[^"]*"))*)\s*(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:'([^']*)'|"([^"]*)")/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The root element. Throws when elements do not nest or there is none. */
export function parseXml(xml: string): Element {
  const top: Building = { name: '', attributes: {}, children: [], text: '' };
  const open: Building[] = [top];
  for (const [, closing, opening, attributes, selfClosing, text] of xml.matchAll(TOKEN)) {
    const current = open.at(-1) ?? top;
    if (text !== undefined) {
      current.text += unescape(text).trim();
    } else if (opening !== undefined) {
      const element: Building = { name: opening, attributes: attributesIn(attributes ?? ''), children: [], text: '' };
      current.children.push(element);
      if (selfClosing !== '/') open.push(element);
    } else if (closing !== undefined) {
      if (current.name !== closing) throw new Error(`XML: ${closing} ends where ${current.name} is open`);
      open.pop();
    }
  }
  const root = top.children[0];
  if (root === undefined || open.length !== 1) throw new Error('XML: no complete root element');
  return root;
}

/** All elements at a path of names below the given one. */
export function elementsAt(from: Element, ...path: readonly string[]): readonly Element[] {
  let found: readonly Element[] = [from];
  for (const name of path) found = found.flatMap((e) => e.children.filter((c) => c.name === name));
  return found;
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function attributesIn(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, single, double] of text.matchAll(ATTRIBUTE)) {
    if (name !== undefined) attributes[name] = unescape(single ?? double ?? '');
  }
  return attributes;
}

function unescape(text: string): string {
  return text.replace(/&(#x?)?([0-9A-Za-z]+);/g, (whole, numeric: string | undefined, name: string) => {
    if (numeric === '#') return String.fromCodePoint(Number.parseInt(name, 10));
    if (numeric === '#x') return String.fromCodePoint(Number.parseInt(name, 16));
    return ENTITIES[name] ?? whole;
  });
}
