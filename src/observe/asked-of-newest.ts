import { sameObject } from '../manifest/compare.ts'
import { isApiError } from '../model/errors.ts'
import type { KubeObject } from '../model/object.ts'
import type { Ref } from '../model/ref.ts'
import type { Reader } from '../ports.ts'
import type { ExistingAnswer } from './dry-run-existing.ts'

/** How often an object is looked at that somebody writes again each time. */
const LOOKS = 3

/**
 * The answer about an object together with the object that it is about. A controller may write the object after it was
 * listed: then the answer is about another version, and the difference between the two is not what the apply changes.
 */
export async function askedOfNewest(
  reader: Reader,
  object: { readonly ref: Ref; readonly live: KubeObject | undefined },
  ask: (live: KubeObject | undefined) => Promise<ExistingAnswer>,
  signal?: AbortSignal,
): Promise<ExistingAnswer & { readonly live: KubeObject | undefined }> {
  let { live } = object
  for (let look = 1; ; look += 1) {
    const asked = await ask(live)
    if (live === undefined || look === LOOKS || isAbout(asked, live)) return { ...asked, live }
    const newest = await newestOf(reader, { ref: object.ref, live }, signal)
    // Mostly its status alone was written.
    if (newest !== undefined && sameObject(newest, live)) return { ...asked, live: newest }
    live = newest
  }
}

async function newestOf(
  reader: Reader,
  { ref, live }: { readonly ref: Ref; readonly live: KubeObject },
  signal: AbortSignal | undefined,
): Promise<KubeObject | undefined> {
  try {
    return await reader.get(ref, signal)
  } catch (error) {
    // The right to read single objects may be missing where the right to list them is not.
    if (isApiError(error, 'Forbidden')) return live
    throw error
  }
}

function isAbout({ answer }: ExistingAnswer, live: KubeObject): boolean {
  return answer.kind !== 'accepted' || answer.object.metadata.resourceVersion === live.metadata.resourceVersion
}
