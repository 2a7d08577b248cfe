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

const isCompared = (node: ts.BinaryExpression | ts.CaseClause) =>
  ts.isCaseClause(node) || /^[!=]==$/.test(node.operatorToken.getText());

/** Names of classes and areas, words that are only searched, and what is only compared, such as a key's name. */
const isUnseen = (node: ts.Node) =>
  (ts.isStringLiteral(node) &&
    (ts.isBinaryExpression(node.parent) || ts.isCaseClause(node.parent)) &&
    isCompared(node.parent)) ||
  (ts.isPropertyAssignment(node) && /^(look|areas|id|synonyms)$/.test(node.name.getText())) ||
  (ts.isVariableDeclaration(node) && /Looks$/.test(node.name.getText())) ||
  (ts.isStringLiteral(node) &&
    ts.isCallExpression(node.parent) &&
    /^opening$|\.(ends|starts)With$/.test(node.parent.expression.getText()) &&
    node.parent.arguments[0] === node);

const mostOfExpression = 60;
/** What stands between the words: itself where it is short, so that the whole can be read. */
const shown = (source: string) =>
  source.length <= mostOfExpression ? `{${source.replace(/\s+/g, ' ').trim()}}` : '{…}';

function wordsOfScript(content: string, firstLine = 1): Words[] {
  const source = ts.createSourceFile('words.ts', content, ts.ScriptTarget.Latest, true);
  const found: Words[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node) || isUnseen(node)) return;
    const add = (plain: string, text: string) => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const is = isText(plain);
      if (is) found.push({ line: line + firstLine, text: text.replace(/\s+/g, ' ').trim() });
      return is;
    };
    if (ts.isStringLiteralLike(node)) add(node.text, node.text);
    if (!ts.isTemplateExpression(node)) return ts.forEachChild(node, visit);
    const join = (of: (span: ts.TemplateSpan) => string) =>
      node.head.text + node.templateSpans.map((span) => of(span) + span.literal.text).join('');
    const between = (span: ts.TemplateSpan) => shown(span.expression.getText());
    const isWhole = add(
      join(() => '{…}'),
      join(between),
    );
    for (const span of node.templateSpans) if (!isWhole || between(span) === '{…}') visit(span.expression);
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
    const join = (of: (node: TemplateNode) => string) =>
      nodes.map((node) => (node.type === 'Text' ? String(node['data']) : of(node))).join('');
    const between = ({ start, end }: TemplateNode) => shown(content.slice(start + 1, end - 1));
    const plain = join(() => '{…}');
    const isWhole = isText(plain);
    const [first] = nodes;
    if (isWhole && first !== undefined) {
      const line = lineOf(first.start + (/^\s*/.exec(plain)?.[0].length ?? 0));
      found.push({ line, text: join(between).replace(/\s+/g, ' ').trim() });
    }
    for (const node of nodes) if (node.type !== 'Text' && (!isWhole || between(node) === '{…}')) visit(node);
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      let together: TemplateNode[] = [];
      for (const one of value) {
        if (isNode(one) && (one.type === 'Text' || one.type === 'ExpressionTag')) together.push(one);
        else {
          sentence(together);
          together = [];
          visit(one);
        }
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
