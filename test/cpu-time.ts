/**
 * How long this process has computed during the work, in ms: unlike the time on the clock, the same however busy the
 * machine is.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
