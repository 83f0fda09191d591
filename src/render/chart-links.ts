import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { RenderError } from '../model/errors.ts'

/** The engine opens these by name, links followed, before it walks the folder and looks where links lead. */
const OPENED_BY_NAME = ['Chart.yaml', '.helmignore']

/** Refuses a chart whose first files are read from elsewhere: a device without an end, or a file of the machine. */
export async function requireInside(chartPath: string): Promise<void> {
  const root = await realOrNone(chartPath)
  if (root === undefined) return
  for (const name of OPENED_BY_NAME) {
    const file = join(chartPath, name)
    const real = await realOrNone(file)
    if (real === undefined || real.startsWith(root + sep)) continue
    throw new RenderError({ message: `symbolic link ${file} leads out of the chart` })
  }
}

/** None where there is nothing, a link that leads nowhere, or an archive on the way: the engine says what is missing. */
function realOrNone(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}
