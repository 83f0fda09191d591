const BLOCK = 512
/** Two empty blocks. */
export const tarEnd = Buffer.alloc(2 * BLOCK)

/** One entry of a tar archive as it may be made by hand: nothing is checked. A header alone has room for 100 bytes of a name. */
export function tarEntry(
  name: string,
  type: string,
  content: string | Buffer,
  { target = '', binarySize }: { readonly target?: string; readonly binarySize?: number } = {},
): Buffer {
  const bytes = Buffer.from(content)
  const header = Buffer.alloc(BLOCK)
  header.write(name.slice(0, 100), 0)
  header.write('0000644\0', 100)
  if (binarySize === undefined) header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(binarySize), 128)
  }
  header.write('00000000000\0', 136)
  header.write(`        ${type}`, 148)
  header.write(target.slice(0, 100), 157)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)
  return Buffer.concat([header, bytes, padding])
}

/** `length key=value`, where the length counts its own digits. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  const length = bytes + String(bytes + String(bytes).length).length
  return `${length}${rest}`
}
