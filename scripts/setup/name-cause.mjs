// Loaded before Electron's installer, which prints an error without its causes: "fetch failed" says nothing.
const { fetch } = globalThis;

globalThis.fetch = async (...args) => {
  try {
    return await fetch(...args);
  } catch (error) {
    const words = [];
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      words.push(`${cause.message} ${'code' in cause ? String(cause.code) : ''}`);
    }
    throw new Error(words.join(': '), { cause: error });
  }
};
