/** `Content-Disposition` with a file name (RFC 6266); any name stays a single parameter. */
export function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^ !#$&'()+,.\w;=@[\]^`{}~-]/g, '_')
  return `${how}; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`
}

/** RFC 8187 allows fewer characters than `encodeURIComponent`. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
