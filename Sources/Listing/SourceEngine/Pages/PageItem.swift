import Digests
import JobCore
import JobModel
import SourceCore
import Vocabulary

/// An item of a page that can become a job.
struct PageItem: Sendable {
    /// Its key, as text.
    let key: String
    /// The same in 128 bits.
    let hash: ItemHash
    /// The job that it becomes.
    let job: NewJob

    /// The reason for which an item can't become a job.
    struct Problem: Error {
        var message: String
    }

    /// An item of a page at a URL, asked for with these variables.
    ///
    /// Servers repeat what they were sent: no secret gets into what is stored of an item.
    init(
        _ listed: ListedItem,
        of recipe: Recipe,
        at base: URLReference,
        _ variables: Variables = Variables(),
        mask: SecretMask = SecretMask()
    ) throws(Problem) {
        var item = listed
        item.key = item.key.map(mask.masked)
        item.name = item.name.map(mask.masked)
        item.folder = item.folder.map(mask.masked)
        item.meta = item.meta.map { meta in
            // Names of secrets may be longer than these, and a meta as it came was not too long.
            let masked = mask.masked(meta)
            return masked.utf8.count <= JobMeta.maximumLength ? masked : mask.shortened(meta)
        }
        // An object's key has no dots to resolve, only its own.
        let isObject = recipe.kind == .s3 && item.url.hasPrefix("s3://")
        let resolved = isObject ? item.url : base.resolving(variables.withoutNumberSigns(item.url)).text
        let text = variables.hasSecrets && !isObject ? variables.unfilled(resolved) : resolved
        let given: JobURL
        do throws(JobURL.Refusal) {
            given = try isObject ? JobURL(object: text) : JobURL(text)
        } catch {
            throw Problem(message: "job.url: \(error.message)")
        }
        guard !isObject || given.host == base.host else {
            throw Problem(message: "job.url: the object is in another bucket than the source's")
        }
        // The key of an object can't be filled in again, nor can one of several secrets in a file.
        guard !mask.isNeeded(by: given.text) else {
            throw Problem(message: "job.url: it has a secret of the source in it, which may not be stored")
        }
        var policy = TransferPolicy()
        if let insecure = recipe.insecure { policy.plainHTTP = insecure }
        let url: JobURL
        do throws(JobFailure) { url = try policy.permitted(given) } catch {
            throw Problem(message: "job.url: \(error.message)")
        }
        if recipe.queue == .fleet {
            guard text == resolved, isObject || url.masked == url.text else { throw .notForFleet }
            try Self.checkForFleet(url, recipe, variables)
        }
        var options = JobOptions(expectedSHA256: item.sha256)
        if let meta = item.meta {
            do throws(JobMeta.Refusal) {
                options.meta = try JobMeta(json: meta.utf8)
            } catch {
                throw Problem(message: "job.meta: \(error.message)")
            }
        }
        if let folder = item.folder, !folder.isEmpty {
            do throws(DocumentFolder.Refusal) {
                options.folder = try DocumentFolder(sanitizing: folder)
            } catch {
                throw Problem(message: "job.folder: \(error.message)")
            }
        }
        key = item.key ?? text
        options.source = recipe.name
        options.itemKey = key
        options.isEvictable = recipe.keep == .evictable
        options.weight = recipe.weight
        hash = ItemHash(ofKey: key)
        job = NewJob(
            url: url,
            name: item.name.map(DocumentName.sanitized),
            priority: item.priority ?? recipe.priority,
            options: options
        )
    }
}

extension ItemHash {
    /// The hash of a key: the first half of its SHA-256.
    init(ofKey key: String) {
        var bytes = SHA256.hash(data: Array(key.utf8)).makeIterator()
        func next() -> UInt64 { (0..<8).reduce(0) { value, _ in value << 8 | UInt64(bytes.next() ?? 0) } }
        self.init(high: next(), low: next())
    }
}
