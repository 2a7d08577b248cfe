import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { drawnText } from './drawn-text.ts';

async function drawn(content: string): Promise<string> {
  const result = await drawnText.markup?.({ content, filename: 'Planted.svelte' });
  return result?.code.replace(/<script lang="ts">import .*?;(<\/script>)?/, (all: string) =>
    all.endsWith('</script>') ? '' : '<script lang="ts">',
  ) as string;
}

describe('what a template draws', () => {
  it('passes the border between data and text in every component', async () => {
    // What it exports is what Svelte reads.
    const { default: config } = (await import(
      pathToFileURL(`${import.meta.dirname}/../svelte.config.js`).href
    )) as { default: { preprocess: { name?: string }[] } };
    expect(config.preprocess[0]?.name).toBe(drawnText.name);
  });

  it.each([
    ['<p>{name}</p>', '<p>{__shown(name)}</p>'],
    ['<p>a {one}{two()} b</p>', '<p>a {__shown(one)}{__shown(two())} b</p>'],
    ['{#if a}{b}{:else}{c}{/if}', '{#if a}{__shown(b)}{:else}{__shown(c)}{/if}'],
    ['{#each l as x (x)}{x}{:else}{y}{/each}', '{#each l as x (x)}{__shown(x)}{:else}{__shown(y)}{/each}'],
    ['{#key k}{x}{/key}', '{#key k}{__shown(x)}{/key}'],
    [
      '{#await p}{a}{:then b}{b}{:catch c}{c}{/await}',
      '{#await p}{__shown(a)}{:then b}{__shown(b)}{:catch c}{__shown(c)}{/await}',
    ],
    ['{#snippet s(x)}{x}{/snippet}', '{#snippet s(x)}{__shown(x)}{/snippet}'],
    [
      '<Card {title}>{x}{#snippet tools()}{y}{/snippet}</Card>',
      '<Card {title}>{__shown(x)}{#snippet tools()}{__shown(y)}{/snippet}</Card>',
    ],
    ['<svelte:boundary>{x}</svelte:boundary>', '<svelte:boundary>{__shown(x)}</svelte:boundary>'],
    [
      '<svelte:head><title>{t}</title></svelte:head>',
      '<svelte:head><title>{__shown(t)}</title></svelte:head>',
    ],
    ['<pre><b>{x}</b></pre>', '<pre><b>{__shownWhole(x)}</b></pre>'],
    [
      '<i title={a} aria-label="b {c}" class={d}></i>',
      '<i title={__shown(a)} aria-label="b {__shown(c)}" class={d}></i>',
    ],
    ['<i {title}></i>', '<i title={__shown(title)}></i>'],
    ['<input value={typed} bind:this={element} />', '<input value={typed} bind:this={element} />'],
    [
      '<script lang="ts">let a: string;</script>{a as string}',
      '<script lang="ts">let a: string;</script>{__shown(a as string)}',
    ],
    ['{@render children()}', '{@render children()}'],
  ])('%s', async (written, drawnAs) => {
    expect(await drawn(written)).toBe(drawnAs);
  });
});
