/** `0.4 s`, `41 s`, `2 min 14 s`, `1 h 02 min`. */
export function durationText(ms: number): string {
  const bounded = Math.max(0, ms)
  if (bounded < 9_950) return `${(bounded / 1000).toFixed(1)} s`
  const seconds = Math.round(bounded / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}
