import type { Page } from 'playwright/test';

/** A node of the accessibility tree, as assistive technology is given it. */
interface SpokenNode {
  role: string;
  /** The computed name. */
  name: string;
  description: string;
  /** `polite` or `assertive` where changes of its text are read out. */
  live: string | undefined;
  isFocused: boolean;
  isSelected: boolean;
  /** The node that stands for the focus in a list with one focus. */
  activeId: number | undefined;
  domId: number | undefined;
  parent: SpokenNode | null;
  children: SpokenNode[];
}

/** The parts of the protocol's answer that are read. */
interface ProtocolNode {
  nodeId: string;
  parentId?: string;
  childIds?: string[];
  ignored: boolean;
  role?: { value?: unknown };
  name?: { value?: unknown };
  description?: { value?: unknown };
  backendDOMNodeId?: number;
  properties?: {
    name: string;
    value: { value?: unknown; relatedNodes?: { backendDOMNodeId: number }[] };
  }[];
}

/** What Chromium tells assistive technology of a page; what is inert or hidden is not in it. */
export class Spoken {
  readonly #nodes: readonly SpokenNode[];

  private constructor(nodes: readonly SpokenNode[]) {
    this.#nodes = nodes;
  }

  static async of(page: Page): Promise<Spoken> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Accessibility.enable');
    const { nodes } = await cdp.send('Accessibility.getFullAXTree');
    await cdp.detach();
    return new Spoken(treeOf(nodes));
  }

  /** What has the focus: its role and its name; in a list with one focus, the item that stands for it. */
  get focus(): string {
    const focused = this.#nodes.findLast(({ isFocused }) => isFocused);
    const active = this.#nodes.find(({ domId }) => domId !== undefined && domId === focused?.activeId);
    const node = active ?? focused;
    return node === undefined ? 'nothing' : wordsOf(node);
  }

  /** What is read out by itself when it comes or changes: each live region with its text, `polite: …`. */
  get live(): string[] {
    return this.#nodes
      .filter((node) => (node.live ?? 'off') !== 'off' && node.parent?.live !== node.live)
      .map((node) => `${node.live ?? ''}: ${textOf(node)}`);
  }

  /** The nodes with this role whose name contains a text, each with the roles and names around it, from the outside in. */
  find(role: string, name: string): string[] {
    const found = this.#nodes.filter((node) => node.role === role && node.name.includes(name));
    return found.map((node) => {
      const around: string[] = [];
      for (let outer: SpokenNode | null = node; outer !== null; outer = outer.parent) {
        if (outer.name !== '' || outer === node) around.unshift(wordsOf(outer));
      }
      return around.join(' > ');
    });
  }
}

const wordsOf = ({ role, name, description, isSelected }: SpokenNode) =>
  `${role} "${name}"${description === '' ? '' : `, ${description}`}${isSelected ? ', selected' : ''}`;

/** The texts inside, as they are read. */
function textOf(node: SpokenNode): string {
  if (node.role === 'StaticText' || node.children.length === 0) return node.name;
  return node.children
    .map(textOf)
    .filter((text) => text !== '')
    .join(' ');
}

function treeOf(nodes: readonly ProtocolNode[]): SpokenNode[] {
  const text = (value: { value?: unknown } | undefined) =>
    typeof value?.value === 'string' ? value.value.replace(/\s+/g, ' ').trim() : '';
  const byId = new Map<string, { node: SpokenNode | null; from: ProtocolNode }>();
  for (const from of nodes) {
    const property = (name: string) => from.properties?.find((one) => one.name === name)?.value;
    const node: SpokenNode = {
      role: text(from.role),
      name: text(from.name),
      description: text(from.description),
      live: text(property('live')) || undefined,
      isFocused: property('focused')?.value === true,
      isSelected: property('selected')?.value === true,
      activeId: property('activedescendant')?.relatedNodes?.[0]?.backendDOMNodeId,
      domId: from.backendDOMNodeId,
      parent: null,
      children: [],
    };
    byId.set(from.nodeId, { node: from.ignored ? null : node, from });
  }
  // What is ignored has no words of its own, but its children may have.
  const link = (id: string, parent: SpokenNode | null): SpokenNode[] => {
    const entry = byId.get(id);
    if (entry === undefined) return [];
    const { node, from } = entry;
    const below = (from.childIds ?? []).flatMap((child) => link(child, node ?? parent));
    if (node === null) return below;
    node.parent = parent;
    node.children = below.filter((child) => child.parent === node);
    return [node, ...below];
  };
  return nodes.filter(({ parentId }) => parentId === undefined).flatMap(({ nodeId }) => link(nodeId, null));
}
