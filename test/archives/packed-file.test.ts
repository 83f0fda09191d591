import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { readPackedBytes } from '../../src/archives/packed-file.ts'

async function packed(files: Readonly<Record<string, string>>): Promise<Buffer<ArrayBuffer>> {
  const tar = pack()
  for (const [name, text] of Object.entries(files)) tar.entry({ name }, text)
  tar.finalize()
  return gzipSync(await buffer(tar))
}

describe('an archive in memory', () => {
  test('gives a file of its top folder, whatever that is called', async () => {
    const archive = await packed({ 'any/charts/x/Chart.yaml': 'name: x\n', 'any/Chart.yaml': 'name: shop\n' })
    expect(await readPackedBytes(archive, 'Chart.yaml')).toBe('name: shop\n')
    expect(await readPackedBytes(archive, 'README.md')).toBeUndefined()
  })

  test('is read to its end: one that was cut off behind the file is refused', async () => {
    const archive = await packed({ 'shop/Chart.yaml': 'name: shop\n', 'shop/big': 'x'.repeat(100_000) })
    await expect(readPackedBytes(archive.subarray(0, archive.length - 4), 'Chart.yaml')).rejects.toThrow(
      'unexpected end of file',
    )
  })

  test('that unpacks to more than a chart may have is refused', async () => {
    const archive = await packed({ 'shop/Chart.yaml': 'name: shop\n', 'shop/big': 'x'.repeat(101 * 1024 * 1024) })
    expect(archive.length).toBeLessThan(200_000)
    await expect(readPackedBytes(archive, 'Chart.yaml')).rejects.toThrow('the archive unpacks to more than 100 MiB')
  })
})
