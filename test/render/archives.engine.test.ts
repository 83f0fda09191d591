import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type ArchiveBomb, archiveBombs } from '../host/archive-bombs.ts'
import { mutatedArchives } from '../host/mutated-archives.ts'
import { chartPath, temporaryFolder } from './fixtures.ts'
import { startRenderChild } from './start-render-child.ts'

/** Each takes half a minute alone, more on a busy machine. */
const SLOW_MS = 600_000

const BOMBS = 180
/** Why a bomb is refused. That the reading of a chart was ended from outside is not among it. */
const BOUNDS =
  /chart archive is compressed more than 200 to 1|decompressed chart is larger than|more than the maximum of 10000 files/
const MAX_CPU_MS = 1_000
const MAX_PEAK_MIB = 320

test(
  `S-04 ${BOMBS} archives that unpack to gigabytes are refused, each within the time of a second`,
  async () => {
    const child = await startRenderChild()
    const folder = await temporaryFolder()
    let count = 0
    for (const bomb of archiveBombs()) {
      const { rendered, read, cpuMs } = await child.judge(await written(bomb, folder))
      count += 1
      expect(rendered, bomb.title).toMatch(BOUNDS)
      expect(read, bomb.title).toMatch(/^read$|unpacks to more than 20 MiB/)
      expect(cpuMs, bomb.title).toBeLessThan(MAX_CPU_MS)
    }
    expect(count).toBe(BOMBS)
  },
  SLOW_MS,
)

test(
  `S-04 a packed chart of 10 GiB takes less than ${MAX_PEAK_MIB} MiB, wherever its bytes lie`,
  async () => {
    const folder = await temporaryFolder()
    for (const bomb of archiveBombs(['in one piece'])) {
      if (!bomb.title.endsWith('as the chart')) continue
      const first = await peakMiB(bomb, folder)
      // On a busy machine garbage may wait for its collection: what a bomb takes, it takes each time.
      const peak = first < MAX_PEAK_MIB ? first : await peakMiB(bomb, folder)
      expect(peak, bomb.title).toBeLessThan(MAX_PEAK_MIB)
    }
  },
  SLOW_MS,
)

async function peakMiB(bomb: ArchiveBomb, folder: string): Promise<number> {
  const child = await startRenderChild()
  const verdict = await child.judge(await written(bomb, folder))
  await child.end()
  return verdict.peakMiB
}

const MUTATED = 1_000
const CHARTS = ['features', 'gated', 'legacy', 'parent', 'yaml-traps'].map(chartPath)

test(
  `S-04 ${MUTATED} damaged charts are read or refused, each within the time of a second`,
  async () => {
    const child = await startRenderChild()
    const path = join(await temporaryFolder(), 'demo.tgz')
    const verdicts = { rendered: 0, refused: 0 }
    let number = 0
    for (const bytes of mutatedArchives(CHARTS, MUTATED, 4)) {
      await writeFile(path, bytes)
      const { rendered, cpuMs } = await child.judge(path)
      const title = `archive ${number++}: ${rendered}`
      verdicts[rendered === 'rendered' ? 'rendered' : 'refused'] += 1
      expect(rendered, title).not.toMatch(/stopped|does not finish|needs more memory|panic/)
      expect(cpuMs, title).toBeLessThan(MAX_CPU_MS)
    }
    // Both must happen, or the damage is too small or too great to prove anything.
    expect(verdicts.rendered + verdicts.refused).toBe(MUTATED)
    expect(Math.min(verdicts.rendered, verdicts.refused)).toBeGreaterThan(MUTATED / 20)
  },
  SLOW_MS,
)

/** The chart that the bomb is, or lies in. */
async function written({ path, bytes }: ArchiveBomb, folder: string): Promise<string> {
  await rm(join(folder, 'demo'), { recursive: true, force: true })
  const chart = join(folder, path === undefined ? 'demo.tgz' : 'demo')
  const file = path === undefined ? chart : join(chart, path)
  await mkdir(dirname(file), { recursive: true })
  if (path !== undefined) await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')
  await writeFile(file, bytes)
  return chart
}
