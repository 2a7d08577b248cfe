/** What the world checks all the time, each with what a user would lose. */
export const promises = {
  'request-budget':
    'A node gets at most 5 requests a minute, and one burst of 3 when you ask: otherwise its log fills, and its operator blocks you.',
  'connection-budget':
    'A host gets at most one bare connection in 2 seconds: otherwise watching a node that is down looks like an attack.',
  'service-limit':
    'When a service says when to come back, nothing is sent before, but for six requests of a new start of the app: otherwise it bans your key.',
  'paused-is-quiet':
    'What you have paused is not asked for: otherwise a node in maintenance gets requests, and your limit goes to what you do not want.',
  'checks-come':
    'What a service has new is looked for at the interval that you set: otherwise a payment is seen hours late.',
  'quiet-is-quiet':
    'When everything is fetched, the service is asked only to look for news: otherwise your daily limit is used up by nothing.',
  'walk-is-short':
    'Fetching a history takes as many requests as it has pages, and what troubles cost: otherwise a week of your limit is gone.',
  'proven-is-stored':
    'What is called complete is stored, exactly: otherwise a balance or a tax report is wrong, and nobody can see it.',
  'nothing-made-up':
    'What was never on the chain is not in the history: otherwise you explain a payment that nobody made.',
  'one-service':
    'What one service said is never in the store of another: otherwise test data mixes with real money.',
  'becomes-complete':
    'When the trouble ends, everything becomes complete by itself, or the window says that you stopped it.',
  'node-state': 'What is shown of a node is so, or is called unknown: otherwise you sleep while it is down.',
  'shown-soon':
    'A node that goes is shown within 2 s, one that hangs within 26 s, one that is back within 5 s: otherwise you look at the wrong thing meanwhile.',
  'own-blindness':
    'The loss of our own network is never a failure of a node: otherwise you restart healthy nodes.',
  'incident-seen': 'A failure that could be seen is an incident: otherwise you never learn of it.',
  'incident-times':
    'An incident begins when the check began to fail, by your clock: otherwise you look at the wrong logs.',
  'told-once': 'You are told once of a failure, and once of its end: otherwise you switch the messages off.',
  'told-truly': 'Nothing is told of a node that is well: otherwise you stop believing it.',
  'told-in-time': 'What lasts is told, and so is its end: otherwise nobody watches.',
  'told-later':
    'While you have paused alerts, or work at a node, you hear nothing of it: otherwise you switch the messages off.',
  uptime: 'Uptime is what was seen, and adds up: otherwise you defend a figure that is wrong.',
  'past-stays': 'A failure that has ended stays as it was: otherwise two short outages become one of days.',
  'polls-kept': 'History is kept as long as the settings say: otherwise a wrong clock wipes a year.',
  'answers-stay':
    'What you asked in Explore and looked up stays as it came, with its time: otherwise you cite what was never said.',
  undo: 'Undo gives back what was there.',
  'lists-agree': 'The lists show what you have added and not removed, and the store has nothing else.',
  'survives-restart': 'After a restart everything is as it was.',
  'window-agrees': 'The window shows what is so without being opened again.',
  'calls-end': 'Every call of the window is answered: otherwise a button turns for ever.',
  'no-growth': 'Nothing piles up with time, and nothing is left behind at the end.',
  'no-throw': 'The app makes no errors of its own.',
  'no-block': 'No step keeps the processor for more than 50 ms: otherwise the window stutters.',
} as const;

export type PromiseName = keyof typeof promises;

export interface Violation {
  promise: PromiseName;
  words: string;
  /** True time in the world. */
  atMs: number;
}

/** Ends a run: a promise was broken. */
export class Broken extends Error {
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(`${violation.promise}: ${violation.words}`);
    this.violation = violation;
  }
}
