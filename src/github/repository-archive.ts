import type { Response } from 'undici'
import { githubFetch } from './github-fetch.ts'
import { jsonText } from './json-field.ts'
import type { RepositoryApi } from './octokit.ts'

/** Largest archive that is read, in bytes. */
const MAX_ARCHIVE_BYTES = 268_435_456

/**
 * The repository at a commit, as `.tar.gz`. The API answers with an address that carries its own short-lived right, often on
 * another host: the token stays with the API.
 */
export async function downloadArchive(
  api: RepositoryApi,
  sha: string,
  maxBytes = MAX_ARCHIVE_BYTES,
): Promise<Uint8Array> {
  const { octokit, owner, repo, signal } = api
  const answer = await octokit.rest.repos.downloadTarballArchive({
    owner,
    repo,
    ref: sha,
    request: { signal, redirect: 'manual' },
  })
  const address = jsonText(answer.headers, 'location')
  if (address === undefined) throw new Error('GitHub named no address of the archive')
  // Without the token.
  const response = await githubFetch(address)(address, { signal })
  if (!response.ok) throw new Error(`GitHub answered ${response.status} for the archive`)
  return bytesOf(response, maxBytes)
}

async function bytesOf(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`the archive is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
