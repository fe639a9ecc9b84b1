import type { Config } from '../../platform/operation/config.ts'
import type { BlobStore } from './blob-store.ts'
import { createDiskStore } from './disk-store.ts'

export async function openStore(config: Config): Promise<BlobStore> {
  const place = config.WAYPOST_FILES
  if (place.kind === 'disk') return createDiskStore(place.folder)
  // Loaded on demand: the S3 client is large.
  const { createS3Store } = await import('./s3-store.ts')
  const { WAYPOST_S3_ACCESS_KEY: accessKeyId, WAYPOST_S3_SECRET_KEY: secretAccessKey } = config
  return createS3Store({
    bucket: place.bucket,
    prefix: place.prefix,
    region: config.WAYPOST_S3_REGION,
    endpoint: config.WAYPOST_S3_ENDPOINT || undefined,
    credentials: accessKeyId === '' ? undefined : { accessKeyId, secretAccessKey },
  })
}
