import { BlockList, isIP } from 'node:net'

/** Ranges of `after` that none of `before` holds. What is no range of addresses (`pl-123`, a name) is held by itself only. */
export function addedRanges(before: readonly string[], after: readonly string[]): readonly string[] {
  return after.filter((range) => !before.some((old) => old === range || holds(old, range)))
}

/** `0.0.0.0/0`, `::/0` */
export function isAnyAddress(range: string): boolean {
  return parsed(range)?.prefix === 0
}

/** `10.0.0.0/8, 192.0.2.7` */
export function rangesIn(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '')
}

function holds(outer: string, inner: string): boolean {
  const [one, other] = [parsed(outer), parsed(inner)]
  if (one === undefined || other === undefined) return false
  if (one.family !== other.family || one.prefix > other.prefix) return false
  const list = new BlockList()
  list.addSubnet(one.address, one.prefix, one.family)
  return list.check(other.address, other.family)
}

function parsed(range: string) {
  const [address = '', length] = range.split('/', 2)
  const version = isIP(address)
  if (version === 0) return undefined
  const bits = version === 4 ? 32 : 128
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : bits + 1
  return prefix > bits ? undefined : { address, prefix, family: version === 4 ? ('ipv4' as const) : ('ipv6' as const) }
}
