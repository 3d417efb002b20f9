import ControlAPI
import FleetCore
import FoundationEssentials
import Vocabulary

extension DaemonClient {
    /// The member of a job's `meta` that has its mark.
    static let metaKey = "fleet"

    /// Returns the identity of the daemon's store.
    func store() throws(DaemonError) -> String {
        let status = try ask("GET", "/v1/status", for: StatusJSON.self)
        guard let store = status.store, !store.isEmpty else {
            throw .unreachable("the daemon has no store yet")
        }
        return store
    }

    /// What a daemon says of how it stands.
    struct Standing {
        /// The time for which its process has been up.
        var uptime: Duration
        /// The reason for which it begins nothing at all; nil if there is none.
        var reason: String?
        /// The hosts, with their ports, at which it begins nothing, and the seconds until it asks them again.
        var hosts: [String: Double]
        /// The bytes on the documents' disk beyond those that are kept free; nil if it doesn't know.
        var room: Int64?
        /// True if jobs are paused there.
        var hasPaused: Bool
    }

    /// Returns how the daemon stands.
    func standing() throws(DaemonError) -> Standing {
        let status = try ask("GET", "/v1/status", for: StatusJSON.self)
        var hosts: [String: Double] = [:]
        for hold in status.holds ?? [] {
            if let host = hold.host { hosts[host] = hold.until.map(Self.seconds(until:)) ?? 0 }
        }
        return Standing(
            uptime: .seconds(status.uptime),
            reason: (status.holds ?? []).lazy.compactMap { $0.kind.known.flatMap(NodeHold.reason) }.first,
            hosts: hosts,
            room: status.disk.freeBytes.map { $0 - (status.disk.reserveBytes ?? 0) },
            hasPaused: status.jobs[.known(.paused), default: 0] > 0
        )
    }

    /// Posts a slice under its key, with a lease.
    func post(_ slice: Slices.Unposted, lease: Int) throws(DaemonError) -> BatchJSON {
        let request = BatchRequest(
            items: slice.items.map { item in
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
            headers: ["Idempotency-Key: \(slice.key)"],
            body: request.json
        )
    }

    /// Returns what is known of an item, and its mark.
    static func meta(of item: ClaimedItem) -> MetaJSON {
        let mark = MetaJSON([metaKey: item.job.mark])
        guard let given = item.meta, given.hasSuffix("}"), given.contains(":") else { return mark }
        return MetaJSON(verbatim: "\(given.dropLast()),\(mark.text.dropFirst())")
    }

    /// Returns the batch that was posted under a key; nil if the daemon has none.
    func batch(key: String) throws(DaemonError) -> BatchJSON? {
        try ask("GET", "/v1/batches?key=\(key)", for: PageJSON<BatchJSON>.self).items.first
    }

    /// Returns a batch; nil if there is none.
    func batch(_ id: Int64) throws(DaemonError) -> BatchJSON? {
        do { return try ask("GET", "/v1/batches/\(id)") } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Returns all batches that have leases.
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

    /// Cancels a job, if it hasn't ended.
    func cancel(job: Int64) throws(DaemonError) {
        do { _ = try ask("POST", "/v1/jobs/\(job)/cancel", for: JobJSON.self) } catch {
            guard case .refused = error else { throw error }
        }
    }

    /// Renews a batch for so many seconds, or has it lapse with 0; returns false if it is no more.
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
    func cancel(_ batch: Int64) throws(DaemonError) {
        do { _ = try ask("POST", "/v1/batches/\(batch)/cancel", for: SteeredJSON.self) } catch {
            if !error.isMissing { throw error }
        }
    }

    /// Forgets what has ended of a batch.
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
    func removeDocument(of job: Int64) throws(DaemonError) {
        do { _ = try ask("DELETE", "/v1/jobs/\(job)/document", for: JobJSON.self) } catch {
            guard case .refused = error else { throw error }
        }
    }
}
