// Every text that a template of the window draws passes src/shared/text.ts, so that untrusted text cannot reverse the text
// around it, hide characters or fill the window, wherever a component gets it from. This preprocessor of svelte.config.js writes
// the call around each `{expression}` that becomes text or a visible or spoken attribute.
import { fileURLToPath } from 'node:url';
import { parse, type AST, type PreprocessorGroup } from 'svelte/compiler';

const border = fileURLToPath(new URL('../src/shared/text.ts', import.meta.url));
const spokenAttributes =
  /^(title|alt|placeholder|label|data-tip|aria-(label|description|valuetext|roledescription))$/;

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Writes `shown` around what a template draws, and `shownWhole` inside of a `<pre>`. */
export const drawnText: PreprocessorGroup = {
  name: 'drawn-text',
  markup({ content }) {
    const tree = parse(content, { modern: true });
    const edits = editsIn(tree.fragment, false, content);
    if (edits.length === 0) return { code: content };
    edits.push(importIn(tree, content));
    edits.sort((a, b) => b.start - a.start);
    let code = content;
    for (const { start, end, text } of edits) code = code.slice(0, start) + text + code.slice(end);
    return { code };
  },
};

/** Inserted at the beginning of the script; a component without a script gets one. */
function importIn({ instance }: AST.Root, content: string): Edit {
  const names = `import { shown as __shown, shownWhole as __shownWhole } from ${JSON.stringify(border)};`;
  // Null by its type, but undefined in fact.
  if (!instance) return { start: 0, end: 0, text: `<script lang="ts">${names}</script>` };
  const start = content.indexOf('>', instance.start) + 1;
  return { start, end: start, text: names };
}

function editsIn(fragment: AST.Fragment, isWhole: boolean, content: string): Edit[] {
  return fragment.nodes.flatMap((node): Edit[] => {
    if (node.type === 'ExpressionTag') {
      return [{ start: node.start, end: node.end, text: drawn(node, isWhole, content) }];
    }
    const isElement =
      node.type === 'RegularElement' || node.type === 'SvelteElement' || node.type === 'TitleElement';
    if (isElement) {
      return [
        ...node.attributes.flatMap((attribute) =>
          attribute.type === 'Attribute' ? editsOfAttribute(attribute, content) : [],
        ),
        ...editsIn(node.fragment, isWhole || node.name === 'pre', content),
      ];
    }
    // Blocks and components have their content in nested fragments.
    return Object.values(node).flatMap((inner: unknown) =>
      isFragment(inner) ? editsIn(inner, isWhole, content) : [],
    );
  });
}

function editsOfAttribute({ name, value, start, end }: AST.Attribute, content: string): Edit[] {
  if (value === true || !spokenAttributes.test(name)) return [];
  if (content[start] === '{') return [{ start, end, text: `${name}={__shown(${name})}` }];
  return (Array.isArray(value) ? value : [value]).flatMap((part): Edit[] =>
    part.type === 'ExpressionTag'
      ? [{ start: part.start, end: part.end, text: drawn(part, false, content) }]
      : [],
  );
}

function drawn(tag: AST.ExpressionTag, isWhole: boolean, content: string): string {
  return `{${isWhole ? '__shownWhole' : '__shown'}(${content.slice(tag.start + 1, tag.end - 1)})}`;
}

function isFragment(value: unknown): value is AST.Fragment {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Fragment';
}
