/** Why a directory gave no usable answer. The message is for administrators, in English. */
export class DirectoryUnavailable extends Error {
  readonly kind: 'address' | 'network' | 'tls' | 'time' | 'size' | 'secret' | 'answer'

  constructor(kind: DirectoryUnavailable['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
