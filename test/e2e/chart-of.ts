import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A workspace that is a chart with this one template. */
export async function chartOf(template: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-chart-'))
  await mkdir(join(folder, 'templates'))
  await writeFile(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: small\nversion: 1.0.0\n')
  await writeFile(join(folder, 'templates', 'all.yaml'), template)
  return folder
}
