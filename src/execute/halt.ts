/** Settles as the promise does, or rejects with the signal's reason when that fires first. */
export async function unlessHalted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => {}
  const halted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([promise, halted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
