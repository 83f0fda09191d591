import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A workspace that is a chart with this one template, or with these files. */
export async function chartOf(given: string | { readonly [path: string]: string }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'staged-helm-deploy-chart-'))
  const files = typeof given === 'string' ? { 'templates/all.yaml': given } : given
  await writeChart(folder, { 'Chart.yaml': 'apiVersion: v2\nname: small\nversion: 1.0.0\n', ...files })
  return folder
}

/** Writes these files into the folder. */
export async function writeChart(folder: string, files: { readonly [path: string]: string }): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
