import { versionJump } from '../manifest/version-jump.ts'
import { defined } from '../model/defined.ts'
import type { ImageChange, Impact } from '../model/impact.ts'
import type { JsonObject } from '../model/object.ts'
import { type Ref, refKey } from '../model/ref.ts'
import { type Images, imagesOf } from './pod-specs.ts'
import type { ReleaseObjects, Releases } from './release-objects.ts'

/** The object before and after, either absent where there is none. */
interface Pair {
  readonly before?: JsonObject
  readonly after?: JsonObject
}

interface ImagesInput {
  readonly ref: Ref
  readonly real: Pair
  /** The same, masked: texts are taken from here. */
  readonly shown: Pair
  readonly releases: Releases
}

/** Images that change, and those that come to the release or leave it with a container. */
export function imagesImpact(input: ImagesInput): Pick<Impact, 'goneImages' | 'images' | 'newImages'> {
  const { real, ref, releases, shown } = input
  const [before, after] = [imagesOf(real.before), imagesOf(real.after)]
  const shownBefore = imagesOf(shown.before)
  const changed = [...imagesOf(shown.after)].flatMap(([container, image]) => {
    const was = shownBefore.get(container)
    if (was === undefined || was === image) return []
    const users = releases.after.images.get(before.get(container) ?? was)
    const stillIn = (users?.size ?? 0) - (users?.has(refKey(ref)) === true ? 1 : 0)
    return [{ before: was, after: image, ...defined({ jump: jumpOf(was, image) }), ...(stillIn > 0 && { stillIn }) }]
  })
  // Of a release that was not there, or is there no more, all of them are.
  const isKnown = releases.before.all.length > 0 && releases.after.all.length > 0
  const alone = (there: Images, elsewhere: Images, run: ReleaseObjects['images'], text: Images) => {
    const others = new Set(elsewhere.values())
    const found = [...there].filter(([key, image]) => !elsewhere.has(key) && !others.has(image) && !run.has(image))
    return isKnown ? [...new Set(found.flatMap(([container]) => text.get(container) ?? []))] : []
  }
  const newImages = alone(after, before, releases.before.images, imagesOf(shown.after))
  const goneImages = alone(before, after, releases.after.images, shownBefore)
  return {
    ...(changed.length > 0 && { images: changed }),
    ...(newImages.length > 0 && { newImages }),
    ...(goneImages.length > 0 && { goneImages }),
  }
}

/** Tags of images with different names say nothing of each other; a registry or a project is no part of the name. */
function jumpOf(before: string, after: string): ImageChange['jump'] {
  const [old, now] = [nameAndTag(before), nameAndTag(after)]
  if (old === undefined || now === undefined || old.name !== now.name) return undefined
  return versionJump(old.tag, now.tag)
}

function nameAndTag(image: string): { readonly name: string; readonly tag: string } | undefined {
  const [named = ''] = image.split('@', 1)
  const last = named.slice(named.lastIndexOf('/') + 1)
  const colon = last.indexOf(':')
  return colon === -1 ? undefined : { name: last.slice(0, colon), tag: last.slice(colon + 1) }
}
