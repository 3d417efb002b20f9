import ControlAPI
import Foundation
import TestSupport
import Testing

/// One run of daemons that are killed, and what has to be true after each.
final class Torture {
    private static let settings = [
        "FACEFETCH_TRANSFER_CONCURRENCY": "16",
        // The files are no pictures; what is tortured is how they are fetched and kept.
        "FACEFETCH_DETECTION_WHEN": "held",
        // The disk is to be full, not only too full for comfort.
        "FACEFETCH_DISK_RESERVE": "0",
    ]

    private let environment: [String: String]
    private let installation: Installation
    let files: TorturedFiles
    let origin: Origin
    let door: TortureDoor
    private let follower: EndingFollower
    private let canBeFull: Bool
    private let layout: String?
    /// True if jobs are paused and go on all the time, until a kill.
    private let isPaused: Bool
    /// Jobs that the daemon answered for, by the file they fetch.
    private var accepted: [Int: TorturedFiles.File] = [:]
    /// Files whose batch got no answer: accepted or not, both are right.
    private var unanswered: [TorturedFiles.File] = []
    private var checkedInodes: Set<Int> = []
    private var checkedCounts: [Int] = []
    private var fetchedAgain = 0
    private var mostFetchedAgain = 0
    private var fullStarts = 0
    private var cutCount = 0
    /// The times when daemons were started.
    private(set) var starts: [ContinuousClock.Instant] = []
    /// The times when they were killed, and the numbers of small files that were under way then.
    private(set) var kills: [ContinuousClock.Instant] = []
    private(set) var underWay: [Int] = []
    /// As it was after the last kill: large files, and how often a daemon fetched one in segments.
    private var segmentedCount = 0
    /// As it was after the last kill: lines in the event log, and bytes sent and requests of each file.
    private var linesAtEnd = 0
    private var sentAtEnd: [(bytes: Int, requests: Int)] = []
    /// The jobs, as they were in the end.
    private var jobs: [JobJSON] = []

    /// - Parameters:
    ///   - byLinks: Whether the file system has no renames that replace nothing, as NFS.
    ///   - layout: The template of folders for documents; nil for none.
    ///   - rate: The most that all transfers bring together, as in the settings; nil for no limit.
    ///   - isPaused: Whether jobs are paused and go on all the time.
    init(
        installation: Installation,
        files: TorturedFiles,
        origin: Origin,
        door: TortureDoor,
        canBeFull: Bool,
        byLinks: Bool = false,
        layout: String? = nil,
        rate: String? = nil,
        isPaused: Bool = false
    ) throws {
        self.installation = installation
        var environment = Self.settings.merging(door.settings) { $1 }
        environment["FACEFETCH_DOCUMENTS_LAYOUT"] = layout
        environment["FACEFETCH_TRANSFER_RATE_LIMIT"] = rate
        if byLinks {
            let disk = FaultyDisk(installation)
            try disk.fail(.rename, with: EINVAL, in: "documents")
            environment.merge(disk.environment) { $1 }
        }
        self.environment = environment
        follower = EndingFollower(socket: installation.socket)
        self.canBeFull = canBeFull
        self.layout = layout
        self.isPaused = isPaused
        self.files = files
        self.origin = origin
        self.door = door
    }

    /// A summary of the run, for whoever reads along.
    var summary: String {
        """
        \(accepted.count) jobs accepted and kept; documents after each kill \
        \(checkedCounts.map(String.init).joined(separator: " ")); of \(files.totalCount) bytes \
        \(fetchedAgain) fetched again, for one transfer and kill \(mostFetchedAgain) at the most; \
        \(cutCount) transfers cut off, \(origin.requests.count) requests; \
        \(fullStarts) starts that found no room; \(files.files.count(where: \.isLarge)) files over 32 MiB, \
        which came in segments \(segmentedCount) times; at most \(underWay.max() ?? 0) small ones at a kill
        """
    }

    /// Returns the time that a client takes for one question on this machine, at this moment.
    func secondsOfAsking() async throws -> Double {
        let daemon = try await installation.startDaemon(environment: environment)
        let begun = ContinuousClock.now
        _ = try await installation.facefetch("list", "--json")
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        daemon.signal(SIGKILL)
        _ = await daemon.status
        return seconds
    }

    /// Starts a daemon, gives it files, and kills it after so many seconds: of its life, of
    /// its being ready, or of what is waited for.
    func run(
        adding new: [TorturedFiles.File],
        killedAfter seconds: Double,
        beforeReady: Bool,
        waitingFor event: () async -> Void = {}
    ) async throws {
        let daemon: Program
        starts.append(.now)
        if beforeReady {
            daemon = try Program("facefetchd", installation.flags, environment: environment)
        } else {
            do {
                daemon = try await installation.startDaemon(environment: environment)
            } catch let failure as Installation.NotReady {
                // A full disk is a reason not to start, and to say so; nothing else is.
                #expect(canBeFull && [73, 74].contains(failure.status), "it ended with \(failure.status)")
                fullStarts += 1
                unanswered += new
                return
            }
        }
        let offered = unanswered + new
        unanswered = []
        // The kill may come while they are being accepted.
        let adding = Self.adding(offered, to: installation, from: door)
        let following = Task { [follower] in await follower.follow() }
        defer { following.cancel() }
        await event()
        let pausing = isPaused ? Self.pausing(installation.socket) : nil
        defer { pausing?.cancel() }
        try await Task.sleep(for: .seconds(seconds))
        kills.append(.now)
        daemon.signal(SIGKILL)
        let answer = try await adding.value
        let status = await daemon.status
        underWay.append(countUnderWay())
        #expect(status == -SIGKILL || canBeFull && [73, 74].contains(status), "it ended with \(status)")
        note(answer, for: offered)
    }

    /// Pauses all jobs and lets them go on, at random, until it is cancelled.
    private static func pausing(_ socket: String) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                for action in ["pause", "resume"] {
                    // Nobody may be there yet, or any more.
                    _ = try? await HTTPClient.send("POST", "/v1/jobs/\(action)", to: socket)
                    try? await Task.sleep(for: .milliseconds(Int.random(in: 0...80)))
                }
            }
        }
    }

    /// Starts a last daemon and waits until every accepted job has its document.
    func finish(adding new: [TorturedFiles.File]) async throws {
        let daemon = try await installation.startDaemon(environment: environment)
        if isPaused { _ = try await HTTPClient.send("POST", "/v1/jobs/resume", to: installation.socket) }
        let offered = unanswered + new
        note(try await Self.add(offered, to: installation, from: door), for: offered)
        #expect(accepted.count == files.files.count)
        // Of a batch that got no answer too: it may be there.
        let before = try installation.jobs(try await installation.facefetch("list", "--json"))
        try await stored(Set(before.map { Int($0.id) }))
        let listed = try installation.jobs(try await installation.facefetch("list", "--json"))
        try await follower.check()
        #expect(await daemon.stop() == 0)
        let jobs = Dictionary(listed.map { (Int($0.id), $0) }) { first, _ in first }
        self.jobs = listed
        for (id, file) in accepted {
            let job = try #require(jobs[id], "job \(id) was accepted and is gone")
            #expect(job.state == "stored", "\(file.name) is \(job.state)")
            #expect(job.sha256 == file.sha256, "\(file.name) has another SHA-256")
            #expect(job.bytes == Int64(file.count))
        }
    }

    /// Waits until all of these jobs have been stored and hashed: then a held detection is said to be deferred.
    private func stored(_ jobs: Set<Int>) async throws {
        let events = try installation.follow()
        var missing = jobs
        while !missing.isEmpty, let line = await events.outputLine(containing: " deferred face detection") {
            let word = line.split(separator: " ").first { $0.hasPrefix("j") && Int($0.dropFirst()) != nil }
            if let job = word.flatMap({ Int($0.dropFirst()) }) { missing.remove(job) }
        }
        events.signal(SIGKILL)
    }

    /// Every document is whole and right; those seen before can't have changed their length.
    func checkDocuments() throws {
        let manager = FileManager.default
        let names = documents()
        for name in names {
            let path = installation.documents + "/" + name
            let attributes = try manager.attributesOfItem(atPath: path)
            let last = URL(fileURLWithPath: path).lastPathComponent
            let source = try #require(files.source(ofDocument: last), "\(name) is nobody's document")
            #expect(attributes[.size] as? Int == source.count, "\(name) is not whole")
            let inode = try #require(attributes[.systemFileNumber] as? Int)
            guard checkedInodes.insert(inode).inserted else { continue }
            #expect(try TorturedFiles.sha256(ofFileAt: path) == source.sha256, "\(name) is wrong")
        }
        checkedCounts.append(names.count)
    }

    /// The paths of all documents in their directory, in which a kill may leave empty folders.
    private func documents() -> [String] {
        // The first daemon may have been killed before it made the directory.
        let paths = FileManager.default.subpaths(atPath: installation.documents) ?? []
        return paths.filter { path in
            var isFolder: ObjCBool = false
            let place = installation.documents + "/" + path
            return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// In the end every document is some job's, and no job has another's.
    func checkOwners() throws {
        let names = documents()
        let owned = jobs.compactMap { job -> String? in
            let place = job.folder.map { "\($0)/\(job.name)" } ?? job.name
            return job.path == installation.documents + "/" + place ? place : nil
        }
        #expect(owned.count == jobs.count, "a job has no document")
        if let layout {
            // None of the jobs has a source.
            let folders = layout.split(separator: "/").filter { $0 != "{source}" }
            for job in jobs {
                let parts = (job.folder ?? "").split(separator: "/")
                #expect(parts.count == folders.count, "\(job.name) is in \(parts)")
                guard let place = folders.firstIndex(of: "{sha2}"), parts.indices.contains(place) else {
                    continue
                }
                #expect(job.sha256?.hasPrefix(parts[place]) == true, "\(job.name) is in \(parts)")
            }
        }
        let strangers = Set(names).subtracting(owned)
        #expect(strangers.isEmpty, "nobody's documents: \(strangers.sorted().prefix(5))")
        #expect(Set(owned).count == owned.count, "two jobs have the same document")
    }

    /// Takes note of what was sent until the last kill: after it, nothing is slow or cut off.
    func noteBytesSent() {
        segmentedCount = countSegmented()
        linesAtEnd = (try? installation.eventLog().count) ?? 0
        sentAtEnd = files.files.map { file in
            let requests = origin.requests("/" + file.name)
            return (requests.reduce(0) { $0 + $1.bodyBytesSent }, requests.count)
        }
    }

    /// Before the last kill some file came in segments.
    func checkSegments() {
        #expect(segmentedCount > 0, "no file over 32 MiB came in segments")
    }

    /// Until the last kill no more was sent of a file than was still there after it, but for the
    /// limit for each time that a transfer was cut off.
    func checkBytesSent(limit: Int) throws {
        let log = try installation.eventLog().dropFirst(linesAtEnd)
        let jobs = Dictionary(grouping: jobs, by: \.url)
        for (file, sent) in zip(files.files, sentAtEnd) {
            // A batch that got no answer may have been accepted, and its files are fetched by two jobs.
            let jobs = jobs[door.url("/" + file.name)] ?? []
            let isDone = origin.requests("/" + file.name).count == sent.requests
            let held = jobs.reduce(0) { sum, job in
                sum + (isDone ? file.count : Self.held(by: Int(job.id), of: file, in: log))
            }
            var cuts = jobs.reduce(0) { $0 + $1.attempts - 1 }
            // The first transfer of a small file begins before the store says so (JobMachine.smallLength):
            // one that was killed then has left no count. Of a larger one, what the socket holds has been
            // sent by then.
            if cuts == 0, sent.requests > jobs.count || !isDone { cuts = 1 }
            // Whoever is paused is cut off without a try.
            if isPaused { cuts = max(cuts, sent.requests) }
            let again = sent.bytes - held
            cutCount += cuts
            fetchedAgain += max(0, again)
            if cuts > 0 { mostFetchedAgain = max(mostFetchedAgain, again / cuts) }
            #expect(
                again <= limit * cuts,
                "\(again) bytes of \(file.name) were lost, which was cut off \(cuts) times: \(story(of: file))"
            )
        }
    }

    /// Returns the number of bytes that a job had of its file when the last daemon took it up.
    private static func held(by job: Int, of file: TorturedFiles.File, in log: ArraySlice<String>) -> Int {
        // The last, because the first may be from before the kill, and was written down late.
        let taken = log.last { line in
            line.contains(" j\(job) ") && line.contains("ed download of ") && !line.contains(" finished ")
        }
        // It was there already, stored or about to be.
        guard let words = taken?.split(separator: " ") else { return file.count }
        guard words.contains("resumed"), words.count > 3 else { return 0 }
        return Int(words[words.count - 3]) ?? 0
    }

    private static func adding(
        _ offered: [TorturedFiles.File],
        to installation: Installation,
        from door: TortureDoor
    ) -> Task<[Int]?, any Error> {
        Task { try await add(offered, to: installation, from: door) }
    }

    private static func add(
        _ offered: [TorturedFiles.File],
        to installation: Installation,
        from door: TortureDoor
    ) async throws -> [Int]? {
        guard !offered.isEmpty else { return [] }
        let urls = offered.map { door.url("/" + $0.name) }
        let result = try await Program.run(
            "facefetch",
            ["add", "--json"] + urls,
            environment: ["FACEFETCH_SOCKET": installation.socket]
        )
        guard result.status == 0 else { return nil }
        let batch = try JSONDecoder().decode(BatchJSON.self, from: Data(result.output.utf8))
        return batch.jobs?.map { Int($0) }
    }

    private func note(_ jobs: [Int]?, for offered: [TorturedFiles.File]) {
        guard let jobs else {
            unanswered += offered
            return
        }
        for (job, file) in zip(jobs, offered) { accepted[job] = file }
    }
}
