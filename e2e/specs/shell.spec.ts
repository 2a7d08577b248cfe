import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import electronPath from 'electron';
import { expect, test } from '../fixtures.ts';
import { Watchkeeper } from '../pages/watchkeeper.ts';
import { projectDir, type RunningApp } from '../running-app.ts';

/** A server outside the app; `paths` are what reached it. */
async function startStranger(): Promise<{ url: string; paths: string[]; server: Server }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    if (request.url === '/redirect') response.writeHead(302, { location: '/redirected' });
    else response.setHeader('access-control-allow-origin', '*');
    response.end('<title>stranger</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, paths, server };
}

const outside = test.extend<{ stranger: Awaited<ReturnType<typeof startStranger>> }>({
  stranger: async ({}, use) => {
    const started = await startStranger();
    await use(started);
    started.server.close();
  },
  // No service here: the shell has to hold before there is anything to show.
  running: async ({ sharedApp }, use) => {
    await use(await sharedApp.handOver(null));
  },
});

const profileOf = ({ app }: RunningApp) => app.evaluate((electron) => electron.app.getPath('userData'));

const ownPage = 'app://watchkeeper/index.html';

outside('the page is isolated, sandboxed and without Node', async ({ running }) => {
  expect(running.page.url()).toBe(ownPage);
  const globals = await running.page.evaluate(() => ({
    require: typeof Reflect.get(globalThis, 'require'),
    process: typeof Reflect.get(globalThis, 'process'),
    bridge: Object.keys(Reflect.get(globalThis, 'watchkeeper') as object).toSorted(),
  }));
  expect(globals).toEqual({ require: 'undefined', process: 'undefined', bridge: ['invoke', 'listen'] });
  const preferences = await running.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    // Not in the type library; the only way to read back what the window was made with.
    const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
    const { sandbox, contextIsolation, nodeIntegration, webviewTag } = contents.getLastWebPreferences();
    return { sandbox, contextIsolation, nodeIntegration, webviewTag };
  });
  expect(preferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
  });
});

outside('the content security policy is a header and refuses eval and inline script', async ({ running }) => {
  const header = await running.app.evaluate(async ({ session }) => {
    const response = await session.defaultSession.fetch('app://watchkeeper/index.html');
    return response.headers.get('content-security-policy');
  });
  expect(header).toContain("default-src 'none'");
  expect(header).toContain("connect-src 'none'");
  const ran = await running.page.evaluate(() => {
    const script = document.createElement('script');
    try {
      script.textContent = 'globalThis.inlineRan = true';
      document.head.append(script);
    } catch (error) {
      // Trusted Types refuse the assignment before the policy refuses the script.
      if (!(error instanceof TypeError)) throw error;
    }
    return Reflect.get(globalThis, 'inlineRan') === true;
  });
  expect(ran).toBe(false);
});

outside('the scheme serves nothing outside the build', async ({ running }) => {
  const statuses = await running.app.evaluate(async ({ session }) => {
    const urls = [
      'app://watchkeeper/index.html',
      'app://watchkeeper/..%2f..%2fpackage.json',
      'app://watchkeeper/..%2fmain%2findex.js',
      'app://watchkeeper/%2e%2e/%2e%2e/package.json',
      'app://elsewhere/index.html',
      'app://watchkeeper/no-such-file.js',
    ];
    const found: number[] = [];
    for (const url of urls) found.push((await session.defaultSession.fetch(url)).status);
    return found;
  });
  expect(statuses).toEqual([200, 404, 404, 404, 404, 404]);
});

outside('no request of the page leaves the app', async ({ running, stranger: { url, paths } }) => {
  const outcomes = await running.page.evaluate(async (target) => {
    const settle = async (name: string, attempt: Promise<unknown>) =>
      `${name}: ${await attempt.then(
        () => 'arrived',
        () => 'refused',
      )}`;
    const element = (tag: 'img' | 'script' | 'link' | 'iframe', set: (node: HTMLElement) => void) =>
      new Promise((arrived, refused) => {
        const node = document.createElement(tag);
        node.addEventListener('load', arrived);
        node.addEventListener('error', refused);
        try {
          set(node);
        } catch (error) {
          // Trusted Types refuse the assignment itself.
          refused(error instanceof Error ? error : new Error(String(error)));
        }
        document.body.append(node);
      });
    const socket = new Promise((arrived, refused) => {
      const opened = new WebSocket(target.replace('http', 'ws'));
      opened.addEventListener('open', arrived);
      opened.addEventListener('error', refused);
    });
    return Promise.all([
      settle('fetch', fetch(`${target}/fetch`)),
      settle('no-cors', fetch(`${target}/no-cors`, { mode: 'no-cors' })),
      settle('socket', socket),
      settle(
        'img',
        element('img', (node) => node.setAttribute('src', `${target}/img`)),
      ),
      settle(
        'script',
        element('script', (node) => node.setAttribute('src', `${target}/script`)),
      ),
      settle(
        'style',
        element('link', (node) => {
          node.setAttribute('rel', 'stylesheet');
          node.setAttribute('href', `${target}/style`);
        }),
      ),
    ]);
  }, url);
  expect(outcomes).toEqual([
    'fetch: refused',
    'no-cors: refused',
    'socket: refused',
    'img: refused',
    'script: refused',
    'style: refused',
  ]);
  await running.page.evaluate((target) => navigator.sendBeacon(`${target}/beacon`), url);
  await running.page.evaluate((target) => {
    const frame = document.createElement('iframe');
    frame.src = `${target}/frame`;
    document.body.append(frame);
  }, url);
  // A request made by the main process does arrive, and all that the page sent before it would have arrived by then.
  await running.app.evaluate(async (_electron, target) => {
    await fetch(`${target}/from-main`);
  }, url);
  expect(paths).toEqual(['/from-main']);
});

outside(
  'even a session without the policy cancels requests outside the scheme',
  async ({ running, stranger: { url, paths } }) => {
    const outcome = await running.app.evaluate(async ({ session }, target) => {
      try {
        await session.defaultSession.fetch(target);
        return 'arrived';
      } catch (error) {
        return String(error);
      }
    }, `${url}/by-session`);
    expect(outcome).toContain('ERR_BLOCKED_BY_CLIENT');
    expect(paths).toEqual([]);
  },
);

outside(
  'navigation, redirect, new windows and webviews are refused',
  async ({ running, stranger: { url, paths } }) => {
    const { page, app } = running;
    await page.evaluate((target) => {
      location.href = `${target}/navigate`;
    }, url);
    await page.evaluate((target) => {
      const form = document.createElement('form');
      form.action = `${target}/form`;
      form.method = 'post';
      document.body.append(form);
      form.submit();
    }, url);
    const opened = await page.evaluate((target) => window.open(`${target}/open`) === null, url);
    expect(opened).toBe(true);
    await page.evaluate((target) => {
      const view = document.createElement('webview');
      view.setAttribute('src', `${target}/webview`);
      document.body.append(view);
    }, url);
    expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
    expect(page.url()).toBe(ownPage);
    expect(paths).toEqual([]);

    // Our own scheme redirects nowhere. In a session in which nothing else keeps it from leaving, a page may begin to load.
    const loaded = await app.evaluate(async ({ BrowserWindow }, target) => {
      const window = new BrowserWindow({
        show: false,
        webPreferences: { sandbox: true, partition: 'leaving' },
      });
      const load = (path: string) =>
        window.loadURL(`${target}/${path}`).then(
          () => 'arrived',
          () => 'refused',
        );
      const outcomes = [await load('page'), await load('redirect')];
      window.destroy();
      return outcomes;
    }, url);
    expect(loaded).toEqual(['arrived', 'refused']);
    expect(paths).toEqual(['/page', '/redirect']);
  },
);

outside('every permission is refused', async ({ running }) => {
  const states = await running.page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
    const found: string[] = [];
    // The type library lists fewer names than Chromium has.
    for (const name of names)
      found.push((await navigator.permissions.query({ name: name as PermissionName })).state);
    return found;
  });
  expect(new Set(states)).toEqual(new Set(['denied']));
  const answers = await running.page.evaluate(async () => ({
    notification: await Notification.requestPermission(),
    position: await new Promise<string>((answered) => {
      navigator.geolocation.getCurrentPosition(
        () => answered('granted'),
        (error) => answered(error.code === error.PERMISSION_DENIED ? 'denied' : error.message),
      );
    }),
  }));
  expect(answers).toEqual({ notification: 'denied', position: 'denied' });
});

outside('a link is opened only if it is https and only after a click', async ({ profile }) => {
  // Nobody has clicked in it yet.
  const running = await profile.launch();
  await running.app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Reflect.set(globalThis, 'openedLinks', opened);
    shell.openExternal = async (url) => void opened.push(url);
  });
  const open = (url: string) =>
    running.page.evaluate(
      async (target) => (await window.watchkeeper.invoke('app.openExternal', { url: target })).ok,
      url,
    );
  expect(await open('https://explorer.example/')).toBe(false);
  await running.page.mouse.click(1, 1);
  expect(await open('http://explorer.example/')).toBe(false);
  expect(await open('https://explorer.example/')).toBe(true);
  expect(await open('https://explorer.example/again')).toBe(false);
  const links = await running.app.evaluate(() => Reflect.get(globalThis, 'openedLinks') as string[]);
  expect(links).toEqual(['https://explorer.example/']);
});

outside('the data folder is shown, and nothing else', async ({ running }) => {
  const folder = await profileOf(running);
  await running.app.evaluate(({ shell }) => {
    const shown: string[] = [];
    Reflect.set(globalThis, 'shownPaths', shown);
    shell.showItemInFolder = (path) => void shown.push(path);
  });
  const refused = await running.page.evaluate(
    // A path is no argument of this call; types say so, and a script may try all the same.
    () => window.watchkeeper.invoke('app.showDataFolder', '/etc/passwd' as unknown as undefined),
  );
  expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
  await new Watchkeeper(running.page).go('Settings');
  await expect(running.page.getByText(folder, { exact: true })).toBeVisible();
  await running.page.getByRole('button', { name: 'Show in folder' }).click();
  await expect
    .poll(() => running.app.evaluate(() => Reflect.get(globalThis, 'shownPaths') as string[]))
    .toEqual([folder]);
});

outside('calls from another page or frame are rejected', async ({ running }) => {
  const outcome = await running.app.evaluate(async ({ BrowserWindow }, preload) => {
    // A session of its own, in which nothing keeps a strange page from loading.
    const window = new BrowserWindow({
      show: false,
      webPreferences: { preload, sandbox: true, partition: 'stranger' },
    });
    await window.loadURL('data:text/html,<title>stranger</title>');
    const answer: unknown = await window.webContents.executeJavaScript(
      `watchkeeper.invoke('app.snapshot').then(() => 'answered', (error) => error.message)`,
    );
    window.destroy();
    return answer;
  }, `${projectDir}/out/preload/index.cjs`);
  expect(outcome).toContain('may not call');
});

outside(
  'a frame in the window has no bridge, and where it has one, its calls are rejected',
  async ({ running }) => {
    const inWindow = await running.page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const bridge = typeof Reflect.get(frame.contentWindow ?? {}, 'watchkeeper');
      frame.remove();
      return bridge;
    });
    expect(inWindow).toBe('undefined');

    // All that keeps a frame from loading or from having a bridge is taken away; it is even of our own page.
    const outcomes = await running.app.evaluate(async ({ BrowserWindow, session }, preload) => {
      const own = session.fromPartition('frames');
      own.protocol.handle('app', ({ url }) => {
        const inner = '<iframe src="app://watchkeeper/index.html?inner"></iframe>';
        return new Response(url.endsWith('?inner') ? '' : inner, {
          headers: { 'content-type': 'text/html' },
        });
      });
      const window = new BrowserWindow({
        show: false,
        webPreferences: { preload, sandbox: true, nodeIntegrationInSubFrames: true, session: own },
      });
      window.webContents.removeAllListeners('will-frame-navigate');
      await window.loadURL('app://watchkeeper/index.html');
      const { mainFrame } = window.webContents;
      const answers: string[] = [];
      for (const frame of mainFrame.framesInSubtree) {
        const answer: unknown = await frame.executeJavaScript(
          `watchkeeper.invoke('app.snapshot').then(() => 'answered', (error) => error.message)`,
        );
        answers.push(`${frame.url}: ${String(answer)}`);
      }
      window.destroy();
      return answers;
    }, `${projectDir}/out/preload/index.cjs`);
    expect(outcomes).toEqual([
      `${ownPage}: answered`,
      expect.stringMatching(/^app:\/\/watchkeeper\/index\.html\?inner: .*may not call/),
    ]);
  },
);

outside('a second start shows the first window instead', async ({ running }) => {
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const second = spawn(
    electronPath as unknown as string,
    ['--no-sandbox', `--user-data-dir=${await profileOf(running)}`, projectDir],
    { stdio: 'ignore' },
  );
  const [code] = (await once(second, 'exit')) as [number | null];
  expect(code).toBe(0);
  await expect
    .poll(() => running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized()))
    .toBe(false);
  expect(await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

outside('the window comes back where it was', async ({ profile }) => {
  const bounds = { x: 140, y: 90, width: 1010, height: 610 };
  const first = await profile.launch();
  await first.app.evaluate(
    ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted),
    bounds,
  );
  await expect
    .poll(() => first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds()))
    .toEqual(bounds);
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await first.quit();

  const second = await profile.launch();
  const restored = await second.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getBounds(),
  );
  expect(restored).toEqual(bounds);
});
