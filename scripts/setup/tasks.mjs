/**
 * What a task needs. `harness`: a display without a screen and a private keyring. `substitute`: whether the test runtime may
 * stand in for the official one. `opens`: the app for its user, on the user's own display. `packs`: tries an AppImage.
 * `prometheus`: lets a real one read the app's figures.
 * @typedef {{ script: string, args?: string[], harness?: true, substitute?: true, opens?: true, packs?: true, prometheus?: true }} Task
 */

/** @type {Record<string, Task>} */
const tasks = {
  start: { script: 'start.mjs', opens: true },
  dev: { script: 'dev.mjs', substitute: true, opens: true },
  demo: { script: 'demo.mjs', harness: true, substitute: true },
  test: { script: 'test.mjs', harness: true, substitute: true, prometheus: true },
  repeat: { script: 'test-repeat.mjs', harness: true, substitute: true },
  'test:pictures': { script: 'test-pictures.mjs', harness: true, substitute: true },
  package: { script: 'package.mjs', substitute: true },
  'test:package': { script: 'test-package.mjs', harness: true, substitute: true, packs: true },
  'test:real-node': { script: 'test-real-node.mjs', harness: true, substitute: true },
};

export const taskNames = Object.keys(tasks);

/**
 * The task of this name. Where there is a display, the demo is the app with its sample data: as in the app, in its own profile,
 * without a keychain.
 * @param {string | undefined} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {string} platform
 * @returns {Task | undefined}
 */
export function taskOf(name, args, env, platform) {
  const hasDisplay = platform !== 'linux' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
  if (name === 'demo' && hasDisplay && !args.includes('--pictures')) {
    return { script: 'start.mjs', args: ['--sample-data'], substitute: true, opens: true };
  }
  return name !== undefined && Object.hasOwn(tasks, name) ? tasks[name] : undefined;
}
