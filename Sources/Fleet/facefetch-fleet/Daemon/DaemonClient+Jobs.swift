import ControlAPI
import ExportFormats
import FleetCore
import FoundationEssentials
import Vocabulary

/// Lists of the daemon's jobs, which can be long: they are read as exports are.
extension DaemonClient {
    /// Returns one of the jobs of the slice that a batch was posted for; nil if it isn't one of a fleet's.
    func job(of batch: Int64) throws(DaemonError) -> FleetJob? {
        try page("batch=\(batch)&limit=1").items.first.flatMap { Self.job($0.job) }
    }

    /// Returns the fleet's jobs of a batch in the daemon by their marks.
    func jobs(
        of batch: Int64
    ) throws(DaemonError) -> [FleetJob: (id: Int64, state: JobState?)] {
        var jobs: [FleetJob: (id: Int64, state: JobState?)] = [:]
        try pages("batch=\(batch)") { page throws(DaemonError) in
            for item in page.items {
                guard let job = Self.job(item.job) else { continue }
                jobs[job] = (item.job.id, JobState(rawValue: item.job.state))
            }
        }
        return jobs
    }

    /// A job's wait for a moment.
    struct Wait {
        /// The seconds until then.
        var seconds: Double
        /// True if it waits for room on the documents' disk.
        var lacksRoom: Bool
    }

    /// Returns the fleet's jobs that wait for a moment.
    func waits() throws(DaemonError) -> [FleetJob: Wait] {
        var waits: [FleetJob: Wait] = [:]
        try pages("state=waiting") { page throws(DaemonError) in
            for item in page.items {
                guard let job = Self.job(item.job) else { continue }
                waits[job] = try Self.wait(item, in: page)
            }
        }
        return waits
    }

    /// The wait of a job; none to speak of if it doesn't, or the daemon's time makes no sense.
    private static func wait(_ item: ExportedPage.Item, in page: ExportedPage) throws(DaemonError) -> Wait {
        guard let text = try json(of: ["waiting"], item, page)[0],
            let waiting = try? JSONDecoder().decode(JobJSON.WaitingJSON.self, from: Data(text.utf8))
        else { return Wait(seconds: 0, lacksRoom: false) }
        return Wait(seconds: seconds(until: waiting.until), lacksRoom: waiting.code == "disk_full")
    }

    /// Returns the seconds until a time of the daemon; 0 if it is over, or makes no sense.
    static func seconds(until time: String) -> Double {
        let date =
            (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(time))
            ?? (try? Date.ISO8601FormatStyle().parse(time))
        return max(0, date?.timeIntervalSinceNow ?? 0)
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
    func endings(after number: Int64) throws(DaemonError) -> Endings {
        try Self.endings(of: page("ended_after=\(number)&limit=1000"), after: number)
    }

    /// Reads the endings on a page of those behind a number.
    static func endings(of page: ExportedPage, after number: Int64) throws(DaemonError) -> Endings {
        var endings: [(number: Int64, ending: FleetEnding)] = []
        endings.reserveCapacity(page.items.count)
        for item in page.items {
            guard let number = item.job.ended, let ending = try ending(item, page) else { continue }
            endings.append((number, ending))
        }
        return Endings(
            endings: endings,
            last: page.items.last?.job.ended ?? number,
            newest: page.newest ?? number,
            oldest: page.oldest,
            hasMore: page.hasMore
        )
    }

    /// Returns the number of the latest ending of all.
    func newestEnding() throws(DaemonError) -> Int64 { try page("ended_after=0&limit=1").newest ?? 0 }

    // MARK: - Pages

    private func page(_ query: String) throws(DaemonError) -> ExportedPage {
        let bytes = try answer("GET", "/v1/jobs?\(query)")
        do throws(NoJob) { return try ExportedPage(bytes) } catch { throw Self.senseless }
    }

    private func pages(
        _ query: String,
        _ body: (ExportedPage) throws(DaemonError) -> Void
    ) throws(DaemonError) {
        var after: String?
        repeat {
            let page = try page("limit=1000&\(query)" + (after.map { "&after=\($0)" } ?? ""))
            try body(page)
            after = page.hasMore ? page.next : nil
        } while after != nil
    }

    private static func json(
        of names: [StaticString],
        _ item: ExportedPage.Item,
        _ page: ExportedPage
    ) throws(DaemonError) -> [String?] {
        do throws(NoJob) { return try page.json(of: names, in: item) } catch { throw senseless }
    }

    private static func job(_ job: ExportedJob) -> FleetJob? {
        job.metaText(of: metaKey).flatMap { FleetJob(mark: $0) }
    }

    private static func ending(
        _ item: ExportedPage.Item,
        _ page: ExportedPage
    ) throws(DaemonError) -> FleetEnding? {
        let job = item.job
        guard let name = Self.job(job), let state = FleetEnding.State(rawValue: job.ending ?? "") else {
            return nil
        }
        let texts = try json(of: ["error", "detection", "response"], item, page)
        var ending = FleetEnding(job: name, local: job.id, state: state)
        (ending.path, ending.folder) = (job.path, job.folder)
        ending.bytes = job.bytes
        ending.sha256 = job.sha256
        ending.code = job.error
        ending.facts = facts(job, response: texts[2])
        ending.error = texts[0]
        ending.outcome = job.detection?.outcome
        ending.faces = job.detection.flatMap { $0.outcome == "counted" ? $0.faceCount : nil }
        ending.detection = texts[1]
        return ending
    }

    /// The daemon's name for a document, its folder, and what the server said of it, as JSON; nil without one.
    private static func facts(_ job: ExportedJob, response: String?) -> String? {
        guard job.path != nil else { return nil }
        var members = ["\"name\":\(JSONString.of(job.name))"]
        if let folder = job.folder { members.append("\"folder\":\(JSONString.of(folder))") }
        if let response { members.append("\"response\":\(response)") }
        return "{\(members.joined(separator: ","))}"
    }
}

extension DaemonClient {
    /// Returns items that sources have found for the fleet, with numbers above one.
    func handedItems(after number: Int64) throws(DaemonError) -> PageJSON<HandedItemJSON> {
        try ask("GET", "/v1/fleet/items?after=\(number)&limit=\(Feeding.most)")
    }

    /// Tells the daemon that the fleet is done with items, 1 to ``Feeding/most``.
    func takeBack(_ items: [Int64]) throws(DaemonError) {
        _ = try ask(
            "POST",
            "/v1/fleet/items/done",
            body: HandedItemsRequest(ids: items).json,
            for: HandedItemsJSON.self
        )
    }
}
