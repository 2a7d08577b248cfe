// Our own lint rules, for what no plugin has a rule for.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @import { Rule } from 'eslint' */

/** Statements and similar nodes: the smallest unit that a comment above or inside explains. */
const explained =
  /^(.*Statement|.*Declaration|Property|PropertyDefinition|MethodDefinition|SwitchCase|TSPropertySignature)$/;

/** @type {Rule.RuleModule} */
const reasonedExemption = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (!/^\s*(es|ox)lint-disable/.test(comment.value) || /\s--\s+\S.{9,}/s.test(comment.value)) continue;
        if (!comment.loc) continue;
        context.report({
          loc: comment.loc,
          message:
            'An exemption without a reason cannot be judged later. Instead: mend the cause, or write the reason after ` -- `.',
        });
      }
    },
  }),
};

/** @type {Rule.RuleModule} */
const reasonedCast = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    // `as const` is not a cast; of `a as unknown as B` only the outer one is reported.
    'TSAsExpression:not([typeAnnotation.typeName.name="const"], TSAsExpression > TSAsExpression)'(
      /** @type {Rule.Node} */ node,
    ) {
      let unit = node;
      while (unit.parent && !explained.test(unit.type)) unit = unit.parent;
      if (unit.parent?.type.startsWith('Export')) unit = unit.parent;
      const { sourceCode } = context;
      if (sourceCode.getCommentsInside(unit).length > 0 || sourceCode.getCommentsBefore(unit).length > 0)
        return;
      context.report({
        node,
        message:
          'A cast is believed and never checked. Instead: narrow or parse the value; where that cannot be, a comment above says why the cast holds.',
      });
    },
  }),
};

const root = path.resolve(import.meta.dirname, '..', '..');

/** @param {string} stem Path without an ending. */
const hasSource = (stem) => ['.ts', '.svelte', '.svelte.ts'].some((ending) => existsSync(stem + ending));

/** @type {Rule.RuleModule} */
const fileName = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    Program(node) {
      const name = path.basename(context.filename);
      const form = /^[A-Z]/.test(name)
        ? /^[A-Z][A-Za-z0-9]*\.(svelte|([a-z0-9-]+\.)?test\.ts)$/
        : /^\.?[a-z0-9]+([.-][a-z0-9]+)*(?<!\.svelte)$/;
      const [source = ''] = name.split('.');
      const folder = path.dirname(context.filename);
      const isOfApp = /^src[\\/]/.test(path.relative(root, folder));
      if (/\.test\.ts$/.test(name) && isOfApp && !hasSource(path.join(folder, source)))
        context.report({
          node,
          message: `A test stands beside what it tests. Instead of "${name}": the name of a source in this folder, a point, and what it is about.`,
        });
      if (form.test(name)) return;
      context.report({
        node,
        message: `One form of names makes files findable. Instead of "${name}": kebab-case, and PascalCase for components.`,
      });
    },
  }),
};

/** Forbidden syntax with our own messages: why, then what to do instead. @type {Rule.RuleModule} */
const forbiddenSyntax = {
  meta: { type: 'problem', schema: { type: 'array' } },
  create: (context) =>
    Object.fromEntries(
      context.options.map((/** @type {{ selector: string, message: string }} */ { selector, message }) => [
        selector,
        (/** @type {Rule.Node} */ node) => context.report({ node, message }),
      ]),
    ),
};

/** The plugin `house`. Its version is the digest of its text, so that cached findings end when a rule changes. */
export const houseRules = {
  meta: {
    name: 'house',
    version: createHash('sha256')
      .update(readFileSync(import.meta.filename))
      .digest('hex'),
  },
  rules: {
    'reasoned-exemption': reasonedExemption,
    'reasoned-cast': reasonedCast,
    'file-name': fileName,
    'forbidden-syntax': forbiddenSyntax,
  },
};

export default houseRules;
