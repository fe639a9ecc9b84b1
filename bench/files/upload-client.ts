import { createReadStream } from 'node:fs'
import { Upload } from 'tus-js-client'
import { MARA } from '../../server/test/fixtures/people.ts'

const [, , uploadUrl = '', path = '', size = '0'] = process.argv

/** Uploads a file to its announced URL, resuming at the stored offset; ends when it is complete. */
await new Promise<void>((resolve, reject) => {
  new Upload(createReadStream(path), {
    uploadUrl,
    uploadSize: Number(size),
    headers: { 'x-auth-accesskey': MARA.key },
    retryDelays: Array.from({ length: 60 }, () => 500),
    onSuccess: () => resolve(),
    onError: reject,
  }).start()
})
