/** The name of a file in `Content-Disposition` (RFC 6266): whatever it holds, it stays one parameter of one header. */
export function dispositionOf(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^ !#$&'()+,.\w;=@[\]^`{}~-]/g, '_')
  return `${how}; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`
}

/** RFC 8187 allows fewer letters than addresses do. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
