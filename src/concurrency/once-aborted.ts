/** Calls back when the signal fires, or has fired. Gives what takes that back. */
export function onceAborted(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) callback()
  else signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}
