import ControlAPI
import FleetCore
import FleetQueue
import FoundationEssentials
import Vocabulary

extension DaemonClient {
    /// The member of a job's `meta` that has its mark.
    private static let metaKey = "fleet"

    /// Returns the identity of the daemon's store.
    ///
    /// - Throws: ``DaemonError``
    func store() throws(DaemonError) -> String {
        let status = try ask("GET", "/v1/status", for: StatusJSON.self)
        guard let store = status.store, !store.isEmpty else {
            throw .unreachable("the daemon has no store yet")
        }
        return store
    }

    /// Posts a slice under its key, with a lease.
    ///
    /// - Throws: ``DaemonError``
    func post(_ items: [ClaimedItem], token: Int64, lease: Int) throws(DaemonError) -> BatchJSON {
        let request = BatchRequest(
            items: items.map { item in
                BatchRequest.Item(
                    url: item.url,
                    name: item.name,
                    folder: item.folder,
                    sha256: item.sha256,
                    priority: item.priority,
                    headers: item.headers.flatMap {
                        try? JSONDecoder().decode([String: String].self, from: Data($0.utf8))
                    },
                    meta: Self.meta(of: item)
                )
            },
            lease: lease
        )
        return try ask(
            "POST",
            "/v1/batches",
            headers: ["Idempotency-Key: \(FleetJob.key(token: token))"],
            body: request.json
        )
    }

    /// Returns what is known of an item, and its mark.
    static func meta(of item: ClaimedItem) -> MetaJSON {
        let mark = MetaJSON([metaKey: item.job.mark])
        guard let given = item.meta, given.hasSuffix("}"), given.contains(":") else { return mark }
        return MetaJSON(verbatim: "\(given.dropLast()),\(mark.text.dropFirst())")
    }

    /// Returns the batch of a slice; nil if the daemon has none.
    ///
    /// - Throws: ``DaemonError``
    func batch(token: Int64) throws(DaemonError) -> BatchJSON? {
        try ask("GET", "/v1/batches?key=\(FleetJob.key(token: token))", for: PageJSON<BatchJSON>.self).items
            .first
    }

    /// Returns a batch; nil if there is none.
    ///
    /// - Throws: ``DaemonError``
    func batch(_ id: Int64) throws(DaemonError) -> BatchJSON? {
        do { return try ask("GET", "/v1/batches/\(id)") } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Returns all batches that have leases.
    ///
    /// - Throws: ``DaemonError``
    func leasedBatches() throws(DaemonError) -> [BatchJSON] {
        var leased: [BatchJSON] = []
        var after: String?
        repeat {
            let target = "/v1/batches?limit=1000" + (after.map { "&after=\($0)" } ?? "")
            let page = try ask("GET", target, for: PageJSON<BatchJSON>.self)
            leased += page.items.filter { $0.lease != nil }
            after = page.hasMore ? page.next : nil
        } while after != nil
        return leased
    }

    /// Returns the slice that a batch was posted for; nil if it isn't one of the fleet's.
    ///
    /// - Throws: ``DaemonError``
    func token(of batch: Int64) throws(DaemonError) -> Int64? {
        let page = try ask("GET", "/v1/jobs?batch=\(batch)&limit=1", for: PageJSON<JobJSON>.self)
        return page.items.first.flatMap(Self.job)?.token
    }

    /// Returns the fleet's jobs of a batch in the daemon by their marks.
    ///
    /// - Throws: ``DaemonError``
    func jobs(
        of batch: Int64
    ) throws(DaemonError) -> [FleetJob: (id: Int64, state: JobState?)] {
        var jobs: [FleetJob: (id: Int64, state: JobState?)] = [:]
        var after: String?
        repeat {
            var target = "/v1/jobs?limit=1000&batch=\(batch)"
            if let after { target += "&after=\(after)" }
            let page = try ask("GET", target, for: PageJSON<JobJSON>.self)
            for item in page.items {
                guard let job = Self.job(item) else { continue }
                jobs[job] = (item.id, item.state.known)
            }
            after = page.hasMore ? page.next : nil
        } while after != nil
        return jobs
    }

    /// Returns the fleet's jobs that wait for a moment, with the seconds until then.
    ///
    /// - Throws: ``DaemonError``
    func waits() throws(DaemonError) -> [FleetJob: Double] {
        var waits: [FleetJob: Double] = [:]
        var after: String?
        repeat {
            let target = "/v1/jobs?limit=1000&state=waiting" + (after.map { "&after=\($0)" } ?? "")
            let page = try ask("GET", target, for: PageJSON<JobJSON>.self)
            for item in page.items {
                guard let job = Self.job(item) else { continue }
                let until = item.waiting.flatMap { waiting in
                    (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(waiting.until))
                        ?? (try? Date.ISO8601FormatStyle().parse(waiting.until))
                }
                waits[job] = max(0, until?.timeIntervalSinceNow ?? 0)
            }
            after = page.hasMore ? page.next : nil
        } while after != nil
        return waits
    }

    /// Cancels a job, if it hasn't ended.
    ///
    /// - Throws: ``DaemonError``
    func cancel(job: Int64) throws(DaemonError) {
        do { _ = try ask("POST", "/v1/jobs/\(job)/cancel", for: JobJSON.self) } catch {
            guard case .refused = error else { throw error }
        }
    }

    /// Renews a batch for so many seconds, or has it lapse with 0; returns false if it is no more.
    ///
    /// - Throws: ``DaemonError``
    func renew(_ batch: Int64, seconds: Int) throws(DaemonError) -> Bool {
        do {
            _ = try ask(
                "POST",
                "/v1/batches/\(batch)/renew",
                body: RenewRequest(lease: seconds).json,
                for: BatchJSON.self
            )
            return true
        } catch {
            if error.isMissing { return false }
            throw error
        }
    }

    /// Cancels what hasn't ended of a batch.
    ///
    /// - Throws: ``DaemonError``
    func cancel(_ batch: Int64) throws(DaemonError) {
        do { _ = try ask("POST", "/v1/batches/\(batch)/cancel", for: SteeredJSON.self) } catch {
            if !error.isMissing { throw error }
        }
    }

    /// Forgets what has ended of a batch.
    ///
    /// - Throws: ``DaemonError``
    func forget(_ batch: Int64) throws(DaemonError) {
        do {
            _ = try ask(
                "POST",
                "/v1/jobs/forget",
                body: Array("{\"batch\":\(batch)}".utf8),
                for: ForgottenJSON.self
            )
        } catch {
            if !error.isMissing { throw error }
        }
    }

    /// Removes a job's document; one that somebody has changed stays.
    ///
    /// - Throws: ``DaemonError``
    func removeDocument(of job: Int64) throws(DaemonError) {
        do { _ = try ask("DELETE", "/v1/jobs/\(job)/document", for: JobJSON.self) } catch {
            guard case .refused = error else { throw error }
        }
    }

    /// A page of endings.
    struct Endings {
        /// Those of the fleet's jobs, each with its number.
        var endings: [(number: Int64, ending: FleetEnding)]
        /// The number of the last ending that was read.
        var last: Int64
        /// The number of the latest ending of all.
        var newest: Int64
        /// The number above which all endings are still known; nil if the daemon doesn't say.
        var oldest: Int64?
        /// True if more follow.
        var hasMore: Bool
    }

    /// Returns the endings behind a number.
    ///
    /// - Throws: ``DaemonError``
    func endings(after number: Int64) throws(DaemonError) -> Endings {
        let target = "/v1/jobs?ended_after=\(number)&limit=1000"
        let page = try ask("GET", target, for: PageJSON<JobJSON>.self)
        return Endings(
            endings: page.items.compactMap { job in
                job.ended.flatMap { number in Self.ending(job).map { (number, $0) } }
            },
            last: page.items.last?.ended ?? number,
            newest: page.newest ?? number,
            oldest: page.oldest,
            hasMore: page.hasMore
        )
    }

    /// Returns the number of the latest ending of all.
    ///
    /// - Throws: ``DaemonError``
    func newestEnding() throws(DaemonError) -> Int64 {
        try ask("GET", "/v1/jobs?ended_after=0&limit=1", for: PageJSON<JobJSON>.self).newest ?? 0
    }

    private static func job(_ job: JobJSON) -> FleetJob? {
        job.meta?.members.first { $0.name == metaKey }.flatMap { FleetJob(mark: $0.text) }
    }

    private static func ending(_ job: JobJSON) -> FleetEnding? {
        guard let name = Self.job(job), let state = FleetEnding.State(rawValue: job.ending?.text ?? "") else {
            return nil
        }
        var ending = FleetEnding(job: name, local: job.id, state: state)
        ending.path = job.path
        ending.bytes = job.bytes
        ending.sha256 = job.sha256
        ending.code = job.error?.code
        ending.facts = facts(job)
        ending.error = job.error.map { String(decoding: $0.json, as: UTF8.self) }
        ending.outcome = job.detection?.outcome.text
        ending.faces = job.detection.flatMap { $0.outcome == .counted ? $0.faceCount : nil }
        ending.detection = job.detection.map { String(decoding: $0.json, as: UTF8.self) }
        return ending
    }

    /// The daemon's name for a document, its folder, and what the server said of it, as JSON; nil without one.
    private static func facts(_ job: JobJSON) -> String? {
        guard job.path != nil else { return nil }
        var members = ["\"name\":\(JSONString.of(job.name))"]
        if let folder = job.folder { members.append("\"folder\":\(JSONString.of(folder))") }
        if let response = job.response {
            members.append("\"response\":\(String(decoding: response.json, as: UTF8.self))")
        }
        return "{\(members.joined(separator: ","))}"
    }
}
