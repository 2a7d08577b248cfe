/** What the output of a failed download says about its cause, and what to do. */
const causes = /** @type {const} */ ([
  [
    /response \(407\)/,
    'the proxy asks for a name and a password',
    'Put them into HTTPS_PROXY: http://NAME:PASSWORD@HOST:PORT',
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|LEAF_SIGNATURE/,
    'its certificate is not trusted, as with a proxy that has its own certificate authority',
    'Name the file of that authority in NODE_EXTRA_CA_CERTS',
  ],
  [/ENOSPC|EDQUOT/, 'the disk is full', 'Make room'],
  [/EACCES|EPERM|EROFS/, 'a folder is not writable', 'Make node_modules and the cache folder yours'],
  [/hecksum|sha256/i, 'it is not the file that it should be (its checksum differs)', 'Check ELECTRON_MIRROR'],
  [/code 404/, 'it is not there for this system', 'Check ELECTRON_MIRROR'],
  [/code (403|5\d\d)/, 'the server refused it', 'Try later, or another mirror in ELECTRON_MIRROR'],
  [/ENOTFOUND|EAI_AGAIN/, 'the name of the server was not found', 'Connect to the network'],
  [/ECONNREFUSED/, 'the server or the proxy does not accept connections', 'Check HTTPS_PROXY'],
  [/ECONNRESET|UND_ERR_SOCKET/, 'the connection was closed by the other side', 'Try again'],
  [/TIMEOUT|ETIMEDOUT/, 'the server did not answer in time', 'Try again'],
]);

/**
 * @param {string} output
 * @param {{ https_proxy?: string, HTTPS_PROXY?: string, ELECTRON_MIRROR?: string }} env
 * @returns {{ reason: string, remedy: string }}
 */
export function downloadFailure(output, env) {
  const [, reason = 'the messages above say why', toDo = 'Mend that'] =
    causes.find(([sign]) => sign.test(output)) ?? [];
  const mirror = env.ELECTRON_MIRROR;
  const proxy = env.https_proxy ?? env.HTTPS_PROXY;
  const place = mirror === undefined ? 'from GitHub (ELECTRON_MIRROR names another place)' : `from ${mirror}`;
  const way =
    proxy === undefined
      ? 'without a proxy (HTTPS_PROXY names one)'
      : `through the proxy ${withoutPassword(proxy)}`;
  return {
    reason,
    remedy: `${toDo}, then run the same command again. It was fetched ${place}, ${way}.`,
  };
}

/** A password may have any sign. @param {string} address */
const withoutPassword = (address) => address.replace(/^(\w+:\/\/)?.*@/s, '$1');
