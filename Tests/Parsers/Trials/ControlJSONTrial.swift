import ControlAPI
import JobModel

@testable import ControlServer

/// The bodies of requests on the control socket.
enum ControlJSONTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        if let priority = try? SmallBodies.priority.read(bytes) {
            try promise((-100...100).contains(priority), "a priority is \(priority)")
        }
        if let url = try? SmallBodies.retry.read(bytes) {
            try promise(url.isReadable, "a retry leads nowhere")
        }
        _ = try? SmallBodies.detect.read(bytes)
        if let seconds = try? SmallBodies.renewal.read(bytes) {
            try promise((0...86_400).contains(seconds), "a lease has \(seconds) seconds")
        }
        let batch: BatchReader.Batch
        do throws(ProblemJSON) {
            batch = try BatchReader.read(bytes)
        } catch {
            try promise(!error.detail.isEmpty, "there is no reason")
            // Whoever posts megabytes of mistakes doesn't get them back.
            try promise(error.detail.utf8.count < 1000, "a reason has \(error.detail.utf8.count) bytes")
            return nil
        }
        let jobs = batch.items
        try promise((1...86_400).contains(batch.lease ?? 1), "a lease has \(batch.lease ?? 0) seconds")
        try promise(BatchRequest.itemCount.contains(jobs.count), "a batch has \(jobs.count) items")
        for job in jobs { try check(job) }
        return jobs.first?.name
    }

    private static func check(_ job: NewJob) throws(BrokenPromise) {
        try promise(job.url.isReadable, "an item leads nowhere")
        if let name = job.name { try promise(DocumentName.isSafe(name), "a name isn't safe") }
        if let sum = job.options.expectedSHA256 {
            let digits = sum.utf8.filter { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            try promise(sum.utf8.count == 64 && digits.count == 64, "a checksum is none")
        }
        try promise((-100...100).contains(job.priority), "a priority is \(job.priority)")
        try promise(job.options.rateLimit ?? 1 > 0, "a rate is \(job.options.rateLimit ?? 0)")
        if let meta = job.options.meta {
            try promise(meta.text.utf8.count <= JobMeta.maximumLength, "an object is longer than it may be")
            try promise(
                (try? JobMeta(json: meta.text.utf8)) == meta,
                "an object is another when it is read again"
            )
        }
        try promise(
            job.options.headers.count <= RequestHeader.maximumCount,
            "there are too many header fields"
        )
        for header in job.options.headers {
            try promise(
                !header.value.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 },
                "a header field begins another"
            )
        }
    }
}
