import type { AppError, ErrorCode } from '../../../../shared/errors.ts';

/** The target of the failed call; `receiver`: who gets alerts. */
export type ErrorSubject = 'service' | 'node' | 'updates' | 'receiver' | 'app';

/** What the user can do: try again, look at a setting, wait for a known time, or nothing. */
export type ErrorAction = 'retry' | 'settings' | 'wait' | 'none';

export interface ErrorWords {
  severity: 'info' | 'warning' | 'error';
  title: string;
  /** What it means and what to do, in one or two sentences. */
  advice: string;
  action: ErrorAction;
  /** The message of the other side or the system; untrusted plain text. Null when it adds nothing. */
  detail: string | null;
}

/** What a row does not say is usual: an error that trying again may mend, with its message as the detail. */
type Words = Partial<ErrorWords> & Pick<ErrorWords, 'title' | 'advice'>;
type WordsByCode = {
  [C in ErrorCode]: (error: Extract<AppError, { code: C }>, about: ErrorSubject) => Words;
};

const other: Readonly<Record<ErrorSubject, string>> = {
  service: 'The service',
  node: 'The node',
  updates: 'The update server',
  receiver: 'The receiver',
  // A call of the app that asks another side asks the service.
  app: 'The service',
};

/** A warning whose advice is the error’s own message. */
const warnedBy = ({ message }: AppError, title: string, action: ErrorAction = 'none'): Words => ({
  severity: 'warning',
  title,
  advice: message,
  action,
  detail: null,
});

/** One row for each code. A code without a row does not compile. */
const wordsByCode: WordsByCode = {
  // Its issues name fields as the code does.
  'invalid-params': (error) => warnedBy(error, 'Check what you entered'),
  'no-secret': (error, about) =>
    about === 'node'
      ? warnedBy(error, 'An extra header has no value')
      : {
          severity: 'warning',
          title: 'You need an API key',
          advice: 'Add your account’s key. The app keeps it in the system’s keychain.',
          action: 'settings',
          detail: null,
        },
  unauthorized: (_error, about) =>
    about === 'node'
      ? {
          title: 'The node’s address requires a login',
          advice: 'Edit the node and add an extra header with the login, such as “authorization”.',
          action: 'none',
        }
      : {
          title: 'The API key wasn’t accepted',
          advice: 'The key may be mistyped, expired or for another service. Replace it.',
          action: 'settings',
        },
  forbidden: ({ message }, about) => {
    if (about !== 'node')
      return {
        title: 'The service refused the request',
        advice: 'The API key may not be allowed to read this. Check the key and the service.',
        action: 'settings',
      };
    return /host (name|specified)/.test(message)
      ? {
          title: 'The node doesn’t accept this host name',
          advice:
            'A node accepts only “localhost” and IP addresses unless it was started with --http-allowed-hosts. Use its IP address, or add this host name to that flag.',
          action: 'none',
        }
      : {
          title: 'The request to the node was refused',
          advice:
            'A proxy in front of the node may allow only certain computers, or require an extra header.',
          action: 'none',
        };
  },
  'not-found': (error, about) => {
    if (about === 'app') return warnedBy(error, 'Not found');
    if (about === 'node')
      return {
        title: 'No health report at this address',
        advice: 'The address may be mistyped, or the node’s health API may be switched off.',
        action: 'none',
      };
    return {
      severity: 'warning',
      title: 'The service has no record of this',
      advice: 'It may be mistyped, too new to be indexed, or on a chain that the service doesn’t index.',
    };
  },
  'rate-limited': (_error, about) => ({
    severity: 'warning',
    title:
      about === 'service'
        ? 'The service’s rate limit has been reached'
        : `${other[about]} is limiting requests`,
    advice: 'The app waits before it retries. You can still view stored data.',
    action: 'wait',
  }),
  upstream: (error, about) => ({
    title: `${other[about]} returned an error (status ${error.status})`,
    advice: `${
      error.status >= 500
        ? 'The problem is on the server’s side and is often temporary.'
        : 'The request wasn’t accepted.'
    }${about === 'receiver' ? '' : ' Earlier data is kept.'}`,
  }),
  unreachable: (error, about) => {
    if (about === 'receiver') return warnedBy(error, 'The test message wasn’t delivered');
    if (about === 'node')
      return {
        severity: 'warning',
        title: 'Can’t reach the node',
        advice:
          'The node may be stopped, or the network in between may be down. You can still see its last report and how old it is.',
      };
    return about === 'updates'
      ? {
          severity: 'info',
          title: 'Can’t reach the update server',
          advice: 'The app will try again later.',
        }
      : {
          severity: 'info',
          title: 'No connection to the service',
          advice: 'You can still view everything the app has fetched.',
        };
  },
  proxy: (error) => warnedBy(error, 'The proxy didn’t forward the request', 'settings'),
  timeout: (_error, about) => ({
    severity: 'warning',
    title: `${other[about]} took too long to respond`,
    advice: 'The app stopped waiting. Earlier data is kept.',
  }),
  'bad-response': (error, about) => {
    const issues = error.issues.slice(0, 3);
    // It may be a file, such as a recording.
    if (about === 'app')
      return {
        title: 'Couldn’t read the data',
        advice: error.message,
        action: 'none',
        detail: issues.join(' · '),
      };
    return {
      title: `${other[about]} sent a response that the app can’t read`,
      advice:
        about === 'updates'
          ? 'The app didn’t use it. You keep your current version.'
          : 'The response isn’t in the expected format, so the app didn’t use it. Check that this is the right service.',
      action: about === 'service' ? 'settings' : 'none',
      detail: [error.message, ...issues].join(' · '),
    };
  },
  storage: (_error, about) =>
    about === 'updates'
      ? { title: 'Can’t install the new version', advice: 'You keep your current version.' }
      : {
          title: 'Couldn’t save or read data',
          advice: 'The disk may be full or read-only. What you see may not have been saved.',
        },
  keychain: (error) => warnedBy(error, 'Can’t use the system’s keychain', 'retry'),
  'not-allowed': () => ({
    severity: 'info',
    title: 'The app didn’t send this request',
    advice: 'To see which requests are allowed, go to Privacy in Settings.',
    action: 'settings',
  }),
  cancelled: () => ({
    severity: 'info',
    title: 'Stopped',
    advice: 'Data already received is kept.',
    detail: null,
  }),
  internal: (error) => ({
    title: 'Something went wrong in the app',
    advice: `This is a bug in the app. For details, search logs/main.log in the data folder for “${error.ref}”.`,
  }),
};

/** Severity, words and action for any error. */
export function describeError(error: AppError, about: ErrorSubject): ErrorWords {
  // The table's row for a code takes exactly the errors with that code; TypeScript cannot correlate the two.
  const describe = wordsByCode[error.code] as (error: AppError, about: ErrorSubject) => Words;
  const words = { severity: 'error' as const, action: 'retry' as const, detail: error.message };
  const said: ErrorWords = { ...words, ...describe(error, about) };
  return { ...said, detail: said.detail === '' ? null : said.detail };
}
