// The objects of facefetchd's API, made by scripts/build-manual from its OpenAPI document.

export interface Alike {
  /** Only among duplicates: the place of the document's group, from 1; the largest comes first. */
  group?: number;
  /** Only among duplicates: the number of documents in the group. */
  group_size?: number;
  /** Only where one document was asked about: the number of bits in which the fingerprints differ; 0 for the same content, too. */
  distance?: number;
  job: Job;
}

export interface AlikePage {
  items: Alike[];
  /** The number of items on all pages; null with q, since nobody has counted those. */
  total: number | null;
  has_more: boolean;
  next: string | null;
  /** Only in a list by ended_after: of the endings asked for, all with a higher number are kept. Whoever asks with a lower one has missed what was forgotten. It is the same with any filter, as nobody knows whether that would have matched. */
  oldest?: number;
  /** Only in a list by ended_after: the number of the latest ending of all, whatever was asked for; 0 where there was none. Whoever wants what ends from now on begins with it, and whoever knows a higher one knows another store. */
  newest?: number;
}

export interface Attention {
  /** The seconds after which this lapses, unless the client says it again. */
  lease: number;
}

/** What a client looks at now, in place of what it looked at before: 500 ids at most in both lists. Without any it looks at nothing. */
export interface AttentionRequest {
  /** The jobs in view. */
  visible?: number[];
  /** The jobs near the view, which may soon be in it. */
  near?: number[];
}

export interface Batch {
  id: number;
  created_at: string;
  /** Seconds on the batch's clock. */
  elapsed: number;
  /** The user id of whoever asked. */
  submitted_by: number | null;
  job_count: number;
  states: Record<'queued' | 'downloading' | 'stored' | 'detecting' | 'done' | 'waiting' | 'paused' | 'failed' | 'cancelled', number>;
  /** Ids, in the order of the items. */
  jobs?: number[];
  /** Seconds that each renewal of its lease is good for; absent if it has none. */
  lease?: number;
  /** How many items were left out as known; absent unless skip_known was true. */
  known?: number;
}

export interface BatchItem {
  /** http or https. */
  url: string;
  /** The document's name: one path component, at most 255 bytes of UTF-8, without characters that change the direction of text. */
  name?: string | null;
  /** The folder for the document, in the documents directory, such as holiday/2026: at most 8 levels, each a name as above. It takes precedence over documents.layout. */
  folder?: string | null;
  sha256?: string | null;
  /** Higher goes first. */
  priority?: number | null;
  /** Header fields sent with the request, to the URL's own scheme, host and port only. Any name is allowed except those that facefetch sets itself (Host, Range, If-Range and the like) and those of the connection. They are stored until the document is, and never shown. */
  headers?: Record<string, string> | null;
  /** Cookies to send, as NAME=VALUE with semicolons between several. They go where the header fields go, are kept as long, and never shown. */
  cookies?: string | null;
  /** The maximum speed of this file in bytes per second. */
  rate_limit?: number | null;
  /** An object that is kept with the job and shown with it: at most 4096 bytes as JSON without white space, and 8 levels deep. */
  meta?: Record<string, unknown> | null;
}

export interface BatchPage {
  items: Batch[];
  /** The number of items on all pages; null with q, since nobody has counted those. */
  total: number | null;
  has_more: boolean;
  next: string | null;
  /** Only in a list by ended_after: of the endings asked for, all with a higher number are kept. Whoever asks with a lower one has missed what was forgotten. It is the same with any filter, as nobody knows whether that would have matched. */
  oldest?: number;
  /** Only in a list by ended_after: the number of the latest ending of all, whatever was asked for; 0 where there was none. Whoever wants what ends from now on begins with it, and whoever knows a higher one knows another store. */
  newest?: number;
}

export interface BatchRequest {
  items: BatchItem[];
  /** Seconds after which the batch's jobs pause unless it is renewed: for whoever shares its servers with other machines. */
  lease?: number | null;
  /** The batch's share beside other batches and sources of one priority: with 2 it gets twice the bytes of one with 1, which is the default. */
  weight?: number | null;
  /** Whether items are left out that repeat the URL of one before them, or of a job that has neither failed nor been cancelled. */
  skip_known?: boolean | null;
}

export interface DetectRequest {
  /** The engine to use; by default the one in the settings. */
  engine?: 'haar' | 'yunet' | null;
}

export interface Detection {
  /** crashed: a detector ended twice without an answer, or gave impossible ones. */
  outcome: 'counted' | 'unreadable' | 'crashed' | 'timed_out' | 'skipped';
  face_count: number | null;
  faces: Face[];
  /** Of the picture as people see it, at full resolution. */
  width: number | null;
  height: number | null;
  /** The EXIF orientation of the picture in its file. */
  orientation: number | null;
  /** jpeg, png, webp, gif, tiff, heif, bmp, jxl, jp2, or raw for a camera's RAW file, whose preview was looked at. */
  format: string | null;
  /** The longer side, in pixels, of the picture in each look; empty if unknown. */
  looks: number[];
  /** Why the document was not looked at, as the end of a sentence about it, of at most 200 bytes, in facefetch's own words. */
  reason?: string;
  /** True where so much of a JPEG's data is damaged that faces may be missing, and the picture is whole but for that. Absent otherwise, also where its decoder has made good a little damage. */
  damaged?: boolean;
  /** A perceptual hash of 64 bits: copies of a picture in another size, quality or format have one that differs in at most about 6. Absent where there is too little in the picture, and in results of versions before it was made. */
  fingerprint?: string;
  engine: string;
  parameters: string;
  shared_from: number | null;
  /** Measured by the daemon. */
  seconds: number;
  /** 90, 180 or 270 where no face was seen in the picture as it is, and the faces were found in it turned clockwise by so many degrees (detection.turned). Boxes are those of the upright picture all the same. */
  turned?: number;
}

export interface EmptyBatch {
  /** Always null: no batch was made. */
  batch: Batch | null;
  /** How many items there were, all known. */
  known: number;
}

export interface Error {
  code: string;
  message: string;
}

export interface Event {
  id: number;
  time: string;
  elapsed: number;
  batch: number;
  job: number;
  kind: 'started' | 'progressed' | 'received' | 'resumed' | 'restarted' | 'finished' | 'stored' | 'waiting' | 'failed' | 'paused' | 'continued' | 'cancelled' | 'evicted' | 'removed' | 'detection_started' | 'detection_finished' | 'detection_deferred' | 'detection_cancelled' | 'detection_failed';
  /** The words of the event log. */
  message: string;
  name?: string;
  url?: string;
  path?: string;
  /** Unproven where only the closing of the connection showed where the stored document ends. */
  length?: 'proven' | 'unproven';
  percent?: number;
  bytes?: number;
  total_bytes?: number;
  reason?: string;
  code?: string;
  until?: string;
  face_count?: number;
  outcome?: 'counted' | 'unreadable' | 'crashed' | 'timed_out' | 'skipped';
  /** The job whose document had the same bytes, and whose result this is. */
  shared_from?: number;
}

/** A box in pixels of the upright picture at full resolution. */
export interface Face {
  x: number;
  y: number;
  width: number;
  height: number;
  confidence: number;
  /** The right eye, left eye, nose, and right and left corner of the mouth, from the person's own point of view; null with haar. */
  landmarks: Point[] | null;
}

/** Exactly one of the three says which jobs are to be forgotten. */
export interface ForgetRequest {
  ids?: number[];
  batch?: number;
  ended_before?: string;
}

export interface Forgotten {
  forgotten: number;
  /** Jobs under way, which stay. */
  kept: number;
}

export interface Gate {
  gate: 'open' | 'held';
}

export interface HandedItem {
  /** The item's number. They ascend, and none is given twice, whatever becomes of the store. */
  id: number;
  /** The name of the source. */
  source: string;
  item: BatchItem;
}

export interface HandedItemPage {
  items: HandedItem[];
  /** The number of items on all pages; null with q, since nobody has counted those. */
  total: number | null;
  has_more: boolean;
  next: string | null;
  /** Only in a list by ended_after: of the endings asked for, all with a higher number are kept. Whoever asks with a lower one has missed what was forgotten. It is the same with any filter, as nobody knows whether that would have matched. */
  oldest?: number;
  /** Only in a list by ended_after: the number of the latest ending of all, whatever was asked for; 0 where there was none. Whoever wants what ends from now on begins with it, and whoever knows a higher one knows another store. */
  newest?: number;
}

export interface HandedItems {
  /** How many were named. */
  items: number;
}

export interface HandedItemsRequest {
  /** Those that aren't there count as taken back. */
  ids: number[];
}

export interface Host {
  /** Name or address, and port. */
  host: string;
  /** The number of transfers from there. */
  active: number;
  /** The number of jobs that wait until they may ask there. */
  queued: number;
  /** Why nothing is begun there; null where something may be. */
  waiting: HostWaiting | null;
  /** The most requests begun there in a time, such as 2/s; null for any number. */
  pace: string | null;
  /** The most requests at once over connections that they share (HTTP/2), at present; null where it isn't known to have such. */
  streams: number | null;
}

export interface HostPage {
  items: Host[];
  /** The number of items on all pages; null with q, since nobody has counted those. */
  total: number | null;
  has_more: boolean;
  next: string | null;
  /** Only in a list by ended_after: of the endings asked for, all with a higher number are kept. Whoever asks with a lower one has missed what was forgotten. It is the same with any filter, as nobody knows whether that would have matched. */
  oldest?: number;
  /** Only in a list by ended_after: the number of the latest ending of all, whatever was asked for; 0 where there was none. Whoever wants what ends from now on begins with it, and whoever knows a higher one knows another store. */
  newest?: number;
}

export interface HostWaiting {
  /** Whether it asks for that, fails, has a certificate that isn't trusted, or asks for a browser (challenge). */
  kind: 'asked' | 'failing' | 'certificate' | 'challenge';
  reason: string;
  /** When the host is asked again; null where nobody knows. */
  until: string | null;
}

export interface ItemError {
  index: number;
  field: string;
  reason: string;
}

export interface Job {
  id: number;
  batch: number;
  /** Passwords are masked, as are users without one; unreadable:url where the stored URL can no longer be read. */
  url: string;
  state: 'queued' | 'downloading' | 'stored' | 'detecting' | 'done' | 'waiting' | 'paused' | 'failed' | 'cancelled';
  name: string;
  /** Absolute; null until stored, and once the document was removed. */
  path: string | null;
  bytes: number;
  total_bytes: number | null;
  /** Whether the document is proven to be as long as the server's file: unproven if only the closing of the connection showed where it ends; null until stored. */
  length: 'proven' | 'unproven' | null;
  response: ServerResponse | null;
  percent: number | null;
  bytes_per_second: number | null;
  attempts: number;
  /** The document's checksum; null until it is stored, for a large one until it is hashed, and for one that could not be read until detection is asked for again. */
  sha256: string | null;
  waiting: Waiting | null;
  error: Error | null;
  detection: Detection | null;
  priority: number;
  /** The maximum speed in bytes per second, where one was given. */
  rate_limit: number | null;
  expected_sha256: string | null;
  /** The name of the source that it comes from; null for jobs that were posted. */
  source: string | null;
  /** What the item is known by in its source. */
  item_key: string | null;
  /** What it was added with, to be known later. */
  meta: Record<string, unknown> | null;
  /** The number of what the job has come to, from one counter over all jobs that only grows; null while it is under way, or under way again. In a list by ended_after, that of the item's ending. */
  ended: number | null;
  /** What the job has come to: what the number in ended is of; null where that is. */
  ending: 'stored' | 'done' | 'failed' | 'cancelled' | null;
  created_at: string;
  finished_at: string | null;
  /** When the document was removed, to make room (documents.maximum-size) or on request; null if not. */
  evicted_at: string | null;
  /** Whether the document is kept however long ago it was served. */
  pinned: boolean;
  /** The weight of its batch or source beside others; absent if it is 1. */
  weight?: number;
  /** The folder that the document is in, or was asked for in: a path in the documents directory; absent for that directory itself, and before it is known. */
  folder?: string;
  elapsed: number;
}

export interface JobChange {
  priority: number;
}

export interface JobPage {
  items: Job[];
  /** The number of items on all pages; null with q, since nobody has counted those. */
  total: number | null;
  has_more: boolean;
  next: string | null;
  /** Only in a list by ended_after: of the endings asked for, all with a higher number are kept. Whoever asks with a lower one has missed what was forgotten. It is the same with any filter, as nobody knows whether that would have matched. */
  oldest?: number;
  /** Only in a list by ended_after: the number of the latest ending of all, whatever was asked for; 0 where there was none. Whoever wants what ends from now on begins with it, and whoever knows a higher one knows another store. */
  newest?: number;
}

export interface Notice {
  after: number;
  oldest?: number;
  detail: string;
}

/** A place in the upright picture, in pixels at full resolution. */
export interface Point {
  x: number;
  y: number;
}

/** RFC 9457. */
export interface Problem {
  type: 'about:blank';
  title: string;
  status: number;
  code: 'not_found' | 'no_such_job' | 'no_such_batch' | 'unreadable' | 'no_such_source' | 'name_taken' | 'needs_reset' | 'bad_recipe' | 'unreadable_page' | 'secret_not_allowed' | 'method_not_allowed' | 'malformed_request' | 'header_too_large' | 'malformed_json' | 'invalid_parameter' | 'invalid_request' | 'invalid_items' | 'idempotency_key_reused' | 'body_too_large' | 'unsupported_media_type' | 'forbidden_origin' | 'forbidden_host' | 'not_permitted' | 'not_possible' | 'not_stored' | 'document_gone' | 'internal_error' | 'busy' | 'stopping' | 'out_of_space';
  detail: string;
  errors?: ItemError[];
  /** Of unreadable_page: why a page of the source can't be read. */
  page_error?: SourceFailure;
}

export interface Progress {
  job: number;
  batch: number;
  bytes: number;
  total_bytes?: number;
  bytes_per_second: number;
}

export interface RemovedSource {
  removed: string;
}

export interface RenewRequest {
  /** Seconds from now; with 0 it lapses at once. By default as many as it was granted. */
  lease?: number | null;
}

export interface RetryRequest {
  url?: string | null;
}

export interface ServerResponse {
  /** The Content-Type field. */
  content_type: string | null;
  /** The ETag field. */
  etag: string | null;
  /** The URL that answered, after all redirects; masked like url. */
  final_url: string;
  /** The Last-Modified field; null if there was none, or it was no date. */
  last_modified: string | null;
  /** When the answer came. */
  received_at: string;
  /** The X-Robots-Tag fields, such as noai, joined by commas. */
  robots: string | null;
  status: number;
}

export interface Source {
  name: string;
  kind: string;
  state: SourceCondition;
  url: string;
  every: number | null;
  pages: number;
  items: number;
  known: number;
  new: number;
  bad: number;
  total: number | null;
  walk: SourceWalk | null;
  jobs?: Record<'queued' | 'downloading' | 'stored' | 'detecting' | 'done' | 'waiting' | 'paused' | 'failed' | 'cancelled', number>;
  /** How many items a fleet hasn't done with, or hasn't got yet (queue: fleet). */
  handed?: number;
  last_read_at: string | null;
  last_error: SourceFailure | null;
  next_at: string | null;
  refresh: SourceRefresh | null;
  created_at: string;
  file: string | null;
  /** The recipe as it was given, YAML or JSON. */
  recipe: string;
}

export interface SourceBadSlice {
  slice: string;
  url: string;
  code: string;
  message: string;
}

export interface SourceCondition {
  code: 'reading' | 'held' | 'idle' | 'waiting' | 'failed' | 'paused' | 'ended';
  until: string | null;
  reason: string | null;
}

export interface SourceFailure {
  code: string;
  message: string;
  excerpt: string | null;
}

export interface SourcePage {
  items: Source[];
  /** The number of items on all pages; null with q, since nobody has counted those. */
  total: number | null;
  has_more: boolean;
  next: string | null;
  /** Only in a list by ended_after: of the endings asked for, all with a higher number are kept. Whoever asks with a lower one has missed what was forgotten. It is the same with any filter, as nobody knows whether that would have matched. */
  oldest?: number;
  /** Only in a list by ended_after: the number of the latest ending of all, whatever was asked for; 0 where there was none. Whoever wants what ends from now on begins with it, and whoever knows a higher one knows another store. */
  newest?: number;
}

export interface SourcePagePage {
  items: SourcePage[];
  /** The number of items on all pages; null with q, since nobody has counted those. */
  total: number | null;
  has_more: boolean;
  next: string | null;
  /** Only in a list by ended_after: of the endings asked for, all with a higher number are kept. Whoever asks with a lower one has missed what was forgotten. It is the same with any filter, as nobody knows whether that would have matched. */
  oldest?: number;
  /** Only in a list by ended_after: the number of the latest ending of all, whatever was asked for; 0 where there was none. Whoever wants what ends from now on begins with it, and whoever knows a higher one knows another store. */
  newest?: number;
}

export interface SourceRefresh {
  walk: number;
  asked: number;
  changed: number;
  gone: number;
  unanswered: number;
  complete: boolean;
  trouble: string | null;
}

export interface SourceTrial {
  request: string;
  items: SourceTrialItem[];
  bad: string[];
  notes: string[];
  next: string | null;
  more: boolean | null;
  total: number | null;
  sitemaps: SourceTrialSitemap[];
}

export interface SourceTrialItem {
  url: string;
  key: string;
  name: string | null;
  sha256: string | null;
  priority: number;
  meta: Record<string, unknown> | null;
}

export interface SourceTrialRequest {
  /** The recipe as text, YAML or JSON. */
  recipe: string;
  /** A page instead of the first. */
  page?: string | null;
  /** The head of the response with that page, a header field a line. */
  headers?: string | null;
}

export interface SourceTrialSitemap {
  url: string;
  changed: string | null;
}

export interface SourceWalk {
  number: number;
  slice: string | null;
  cursor: string | null;
  complete: boolean;
  stop: string | null;
  slices_failed: number;
  bad_slices: SourceBadSlice[];
}

export interface Status {
  version: string;
  state: 'starting' | 'running' | 'stopping';
  uptime: number;
  jobs: Record<'queued' | 'downloading' | 'stored' | 'detecting' | 'done' | 'waiting' | 'paused' | 'failed' | 'cancelled', number>;
  transfers: StatusTransfers;
  detection: StatusDetection;
  disk: StatusDisk;
  holds: StatusHold[];
  may_change: boolean;
  /** Made with the job store, whose numbers it is about: whoever finds another one begins again. Null while the daemon waits for room to start. */
  store: string | null;
  webhook: StatusWebhook;
  reporting: StatusReporting;
  sources: StatusSources;
}

export interface StatusDetection {
  gate: 'open' | 'held';
  active: number;
  waiting: number;
  /** The engine that looks if a request names none; null until that is known. */
  engine: 'haar' | 'yunet' | null;
  /** True if there is a network for yunet, so that requests can name that engine. */
  has_network: boolean;
  /** Why no detector can start, or another engine looks than the settings ask for; absent where all is well. */
  problem?: string;
}

export interface StatusDisk {
  free_bytes: number | null;
  /** The bytes that are kept free there (disk.reserve). */
  reserve_bytes: number;
}

export interface StatusHold {
  kind: 'disk' | 'network' | 'host' | 'proxy' | 'portal' | 'clock' | 'storage' | 'hours' | 'metered' | 'room';
  reason: string;
  /** When it passes by itself; null where nobody knows. */
  until: string | null;
  /** The host that asks to wait, such as example.org:443; null for other kinds. */
  host: string | null;
}

export interface StatusReporting {
  /** off: none are sent (reporting.dsn); waiting: the receiver has not taken one, and is tried again. */
  state: 'off' | 'delivering' | 'waiting';
  /** Reports that the receiver has taken since the start. */
  sent: number;
  /** Faults since the start that are not reported: by the limits, or refused by the receiver. */
  dropped: number;
  last_error: string | null;
}

export interface StatusSources {
  reading: number;
  held: number;
  idle: number;
  waiting: number;
  failed: number;
  paused: number;
  ended: number;
}

export interface StatusTransfers {
  active: number;
  bytes_per_second: number;
  /** What they are limited to now, in bytes per second; null for no limit. */
  rate_limit: number | null;
  /** When the timetable changes that limit; null if it doesn't. */
  rate_limit_until: string | null;
  /** The daemon's environment variable that names a proxy for transfers; null if none does. */
  proxy: string | null;
}

export interface StatusWebhook {
  /** off: none is set; waiting: the receiver has not taken something, and is tried again; stopped: it has answered with status 410, and the settings have not been read since. */
  state: 'off' | 'delivering' | 'waiting' | 'stopped';
  /** Endings that are not delivered yet; no more than 10,000 are counted. */
  lag: number;
  last_error: string | null;
  until: string | null;
}

export interface Steered {
  changed: number;
  /** How many jobs the filter lets through, in whatever state; absent without one. */
  matched?: number;
}

export interface Waiting {
  /** The same codes as in an error. */
  code: string;
  reason: string;
  until: string;
  /** False if it waits for something that isn't its own fault, such as a host that asks everybody to wait; no try is counted then. */
  own: boolean;
}
