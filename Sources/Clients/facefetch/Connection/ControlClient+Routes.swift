import ControlAPI
import Glibc
import Vocabulary

extension ControlClient {
    /// Submits a batch.
    ///
    /// A repeated `key` gets the first answer, so a request whose answer was lost can be repeated
    /// without harm.
    ///
    /// - Throws: ``RefusedItems`` or ``ClientError``
    func post(_ batch: BatchRequest, key: String) throws -> PostedBatch {
        try post(json: batch.json, key: key)
    }

    /// Submits a batch that is written already.
    ///
    /// - Throws: ``RefusedItems`` or ``ClientError``
    func post(json batch: [UInt8], key: String) throws -> PostedBatch {
        let request = HTTPRequest(
            "POST",
            "/v1/batches",
            headers: ["Idempotency-Key: \(key)"],
            body: batch
        )
        var tries = 0
        while true {
            do {
                return try ask(request, timeout: 300)
            } catch let error as ClientError where tries < 20 && (error.wasInterrupted || tries > 0) {
                guard error.status == .unreachable else { throw error }
                // A daemon that is restarted is back within seconds.
                tries += 1
                usleep(250_000)
            }
        }
    }

    /// Gets a batch with its counts.
    ///
    /// - Throws: ``ClientError``
    func batch(_ id: Int64) throws -> BatchJSON { try ask(HTTPRequest("GET", "/v1/batches/\(id)")) }

    /// Gets a job.
    ///
    /// - Throws: ``ClientError``
    func job(_ id: Int64) throws -> JobJSON { try ask(HTTPRequest("GET", "/v1/jobs/\(id)")) }

    /// Hands every job that a filter lets through to `body`, page by page, by ascending id.
    ///
    /// - Parameter filter: Query parameters of the list; those without a value are left out.
    /// - Throws: ``ClientError``, and whatever `body` throws.
    func forEachPage(
        _ filter: [(name: String, value: String?)] = [],
        _ body: ([JobJSON]) throws -> Void
    ) throws {
        try forEachPage(of: "/v1/jobs", filter, body)
    }

    /// Hands all items of a list to `body`, page by page.
    private func forEachPage<Item: APIObject>(
        of path: String,
        _ query: [(name: String, value: String?)],
        isPatient: Bool = false,
        _ body: ([Item]) throws -> Void
    ) throws {
        let query = query + [("limit", "1000")]
        try forEachPage(of: path, query, isPatient: isPatient) { (page: PageJSON<Item>) in
            try body(page.items)
            return true
        }
    }

    /// Hands pages of a list to `body`, until it answers false or there are no more.
    ///
    /// - Parameters:
    ///   - query: The parameters of the list, with the size of a page; those without a value are left out.
    ///   - isPatient: Whether the first page may take as long as that of a million.
    /// - Throws: ``ClientError``, and whatever `body` throws.
    func forEachPage<Item: APIObject>(
        of path: String,
        _ query: [(name: String, value: String?)],
        isPatient: Bool = false,
        _ body: (PageJSON<Item>) throws -> Bool
    ) throws {
        var after: String?
        repeat {
            let request = HTTPRequest("GET", path, query: query + [("after", after)])
            let page: PageJSON<Item> = isPatient ? try askPatiently(request, timeout: 600) : try ask(request)
            guard try body(page) else { return }
            after = page.hasMore ? page.next : nil
        } while after != nil
    }

    /// Hands every job in a state, or of a batch, to `body`, page by page, by ascending id.
    ///
    /// - Throws: ``ClientError``, and whatever `body` throws.
    func forEachPage(
        state: JobState? = nil,
        batch: Int64? = nil,
        _ body: ([JobJSON]) throws -> Void
    ) throws {
        try forEachPage([("state", state?.rawValue), ("batch", batch.map(String.init))], body)
    }

    /// Does one thing to one job.
    ///
    /// - Throws: ``ClientError``
    func steer(_ action: JobAction, job: Int64, body: [UInt8]? = nil) throws -> JobJSON {
        try ask(HTTPRequest("POST", "/v1/jobs/\(job)/\(action.rawValue)", body: body))
    }

    /// Steers every job for which the action makes sense, of those that a filter lets through.
    ///
    /// - Throws: ``ClientError``
    func steerAll(
        _ action: JobAction,
        _ filter: [(name: String, value: String?)] = [],
        body: [UInt8]? = nil
    ) throws -> SteeredJSON {
        // A hundred thousand jobs take a while.
        try ask(
            HTTPRequest("POST", "/v1/jobs/\(action.rawValue)", query: filter, body: body),
            timeout: 600
        )
    }

    /// Forgets the jobs that a filter lets through and that have ended.
    ///
    /// - Throws: ``ClientError``
    func forget(_ filter: [(name: String, value: String?)]) throws -> ForgottenJSON {
        try ask(HTTPRequest("POST", "/v1/jobs/forget", query: filter), timeout: 600)
    }

    /// Hands all batches to `body`, page by page, by ascending id.
    ///
    /// - Throws: ``ClientError``, and whatever `body` throws.
    func forEachPageOfBatches(_ body: ([BatchJSON]) throws -> Void) throws {
        try forEachPage(of: "/v1/batches", [], body)
    }

    /// Hands all hosts with unfinished downloads to `body`, page by page, by name.
    ///
    /// - Throws: ``ClientError``, and whatever `body` throws.
    func forEachPageOfHosts(_ body: ([HostJSON]) throws -> Void) throws {
        try forEachPage(of: "/v1/hosts", [], body)
    }

    /// Ends the wait of a host, and returns how things stand with it.
    ///
    /// - Throws: ``ClientError``
    func releaseHost(_ host: String) throws -> HostJSON {
        try ask(HTTPRequest("POST", "/v1/hosts/release", query: [("host", host)]))
    }

    /// Hands all documents that are alike to `body`, page by page, a group after the other.
    ///
    /// - Throws: ``ClientError``, and whatever `body` throws.
    func forEachPageOfDuplicates(
        _ query: [(name: String, value: String?)],
        _ body: ([AlikeJSON]) throws -> Void
    ) throws {
        try forEachPage(of: "/v1/jobs/duplicates", query, isPatient: true, body)
    }

    /// Has the fingerprint of a job's document made, if it has none, and returns the job.
    ///
    /// - Throws: ``ClientError``
    func makeFingerprint(_ job: Int64) throws -> JobJSON {
        try askPatiently(HTTPRequest("POST", "/v1/jobs/\(job)/fingerprint"), timeout: 600)
    }

    /// Asks, and for half a minute asks again while the daemon does the same for somebody else.
    private func askPatiently<Value: Decodable>(_ request: HTTPRequest, timeout: Int) throws -> Value {
        for _ in 1..<60 {
            do { return try ask(request, timeout: timeout) } catch let error as ClientError
                where error.code == ProblemCode.busy.rawValue
            { usleep(500_000) }
        }
        return try ask(request, timeout: timeout)
    }

    /// Forgets jobs that have ended.
    ///
    /// - Throws: ``ClientError``
    func forget(_ jobs: ForgetRequest) throws -> ForgottenJSON {
        // A million jobs take their time.
        try ask(HTTPRequest("POST", "/v1/jobs/forget", body: jobs.json), timeout: 600)
    }

    /// Opens the detection gate or closes it.
    ///
    /// - Throws: ``ClientError``
    func setGate(_ action: GateJSON.Action) throws -> GateJSON {
        try ask(HTTPRequest("POST", "/v1/detection/\(action.rawValue)"))
    }

    /// Gets the daemon's status.
    ///
    /// - Throws: ``ClientError``
    func status() throws -> StatusJSON { try ask(HTTPRequest("GET", "/v1/status"), timeout: 20) }
}
