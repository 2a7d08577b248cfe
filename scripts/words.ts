// `npm run words` prints every text of the window with its place, so that all can be read in one sitting: what stands in
// templates and in strings of `src/renderer` and `src/shared`. `npm run words -- explore` prints one folder's.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'svelte/compiler';
import ts from 'typescript';

interface Words {
  line: number;
  text: string;
}

const root = path.join(import.meta.dirname, '..');
const part = process.argv[2] ?? '';
const files = globSync('src/{renderer/src,shared}/**/*.{svelte,ts}', { cwd: root })
  .filter((file) => !/\.test\.ts$|\/testing\//.test(file) && file.includes(part))
  .sort();

/** Two words, or one that begins like a sentence; names of classes, keys and codes are none. */
const isText = (text: string) =>
  /\p{L}/u.test(text) && (/^\p{Lu}\p{Ll}/u.test(text) || /[\p{L}}…] [\p{L}{]/u.test(text));

function wordsOfScript(content: string, firstLine = 1): Words[] {
  const source = ts.createSourceFile('words.ts', content, ts.ScriptTarget.Latest, true);
  const found: Words[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = ts.isStringLiteralLike(node)
        ? node.text
        : node.head.text + node.templateSpans.map(({ literal }) => `{…}${literal.text}`).join('');
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (isText(text)) found.push({ line: line + firstLine, text: text.replace(/\s+/g, ' ').trim() });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

interface TemplateNode {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

const isNode = (value: unknown): value is TemplateNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function wordsOfTemplate(content: string): Words[] {
  const { fragment, instance, module } = parse(content, { modern: true });
  const lineOf = (index: number) => content.slice(0, index).split('\n').length;
  const found: Words[] = [];
  const script = (node: { start: number; end: number } | null) => {
    if (!node) return;
    const start = content.indexOf('>', node.start) + 1;
    found.push(...wordsOfScript(content.slice(start, content.lastIndexOf('</', node.end)), lineOf(start)));
  };
  // Texts and expressions beside one another are one sentence.
  const sentence = (nodes: readonly TemplateNode[]) => {
    const [first] = nodes;
    if (first === undefined) return;
    const text = nodes.map((node) => (node.type === 'Text' ? String(node['data']) : '{…}')).join('');
    const line = lineOf(first.start + (/^\s*/.exec(text)?.[0].length ?? 0));
    if (isText(text)) found.push({ line, text: text.replace(/\s+/g, ' ').trim() });
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      let together: TemplateNode[] = [];
      for (const one of value) {
        if (isNode(one) && (one.type === 'Text' || one.type === 'ExpressionTag')) together.push(one);
        else {
          sentence(together);
          together = [];
        }
        if (!isNode(one) || one.type !== 'Text') visit(one);
      }
      sentence(together);
    } else if (isNode(value)) {
      if (value.type === 'Comment' || (value.type === 'Attribute' && value['name'] === 'class')) return;
      // Script, wherever it stands in the template.
      if ('loc' in value)
        found.push(...wordsOfScript(content.slice(value.start, value.end), lineOf(value.start)));
      else for (const [key, one] of Object.entries(value)) if (key !== 'type') visit(one);
    } else if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(visit);
    }
  };
  script(module);
  script(instance);
  visit(fragment);
  return found.sort((a, b) => a.line - b.line);
}

let count = 0;
for (const file of files) {
  const content = readFileSync(path.join(root, file), 'utf8');
  const words = file.endsWith('.svelte') ? wordsOfTemplate(content) : wordsOfScript(content);
  count += words.length;
  if (words.length > 0) console.log(`\n${file}`);
  for (const { line, text } of words) console.log(`${String(line).padStart(5)}  ${text}`);
}
console.log(`\n${count} texts in ${files.length} files`);
