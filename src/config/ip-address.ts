// IP addresses as text: one spelling for each address, so that two of them can be compared.

const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const mappedPattern = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * The address in its one spelling: dotted IPv4, compressed lower-case IPv6 without brackets, an IPv4-mapped IPv6 address
 * as the IPv4 it stands for. Undefined when the text is no address; zones and ranges are none.
 */
export function canonicalIp(text: string): string | undefined {
  if (ipv4Pattern.test(text)) return text;
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(":")) return undefined;
  const url = URL.parse(`http://[${text}]/`);
  if (url === null) return undefined;
  const address = url.hostname.slice(1, -1);
  const mapped = mappedPattern.exec(address);
  if (mapped === null) return address;
  const bits = Number.parseInt(mapped[1] ?? "", 16) * 65_536 + Number.parseInt(mapped[2] ?? "", 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join(".");
}

/** True for 127.0.0.0/8 and ::1, given a canonical address. */
export function isLoopbackIp(canonical: string): boolean {
  return canonical === "::1" || (ipv4Pattern.test(canonical) && canonical.startsWith("127."));
}
