import ArgumentParser
import SourceCore
import Vocabulary

/// Prints what has become of jobs.
struct Results: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints what has become of jobs, a line of JSON each.",
        discussion: """
            With --after it prints what was recorded behind a cursor, in the order of the record: 0 for the beginning, \
            then the member cursor of the last line that was seen. Nothing is missed or comes twice, whatever is \
            being recorded meanwhile. What is younger than a transaction in progress comes once that has ended; a \
            long one, such as the adding of a million items, holds it up. Of a job that is tried again, the new \
            record comes as well.

            A cursor is refused where a failover or a restore has lost records behind which it stands, with the one \
            to begin with instead.
            """
    )

    @OptionGroup var config: ConfigOptions
    @Option(help: ArgumentHelp("The batch's number.", valueName: "number"))
    var batch: Int64?
    @Option(
        help: ArgumentHelp("Goes on behind this.", valueName: "cursor"),
        transform: FleetCursor.init(argument:)
    )
    var after: FleetCursor?

    func validate() throws {
        guard batch != nil || after != nil else {
            throw ValidationError("Give --batch, or --after, or both.")
        }
    }

    func run() throws {
        let queue = try config.queue()
        try config.check(batch, queue)
        try asked {
            guard let after else { return try all(of: batch ?? 0, queue) }
            try after.check(queue)
            var cursor = after.cursor
            while true {
                let page = try queue.records(after: cursor, of: batch)
                for row in page {
                    try Output.record(#"\#(row.json.dropLast()),"cursor":"\#(row.cursor.text)"}"#)
                }
                guard let last = page.last else { return }
                cursor = last.cursor
            }
        }
    }

    private func all(of batch: Int64, _ queue: FleetQueue) throws {
        var last: Int64 = 0
        while true {
            let page = try queue.results(of: batch, after: last)
            for row in page { try Output.record(row.json) }
            guard let end = page.last?.job else { return }
            last = end
        }
    }
}

/// A cursor on a command line.
struct FleetCursor: Hashable, Sendable {
    /// The place.
    var cursor: FleetQueue.Cursor

    /// Reads an argument.
    init(argument: String) throws {
        guard let cursor = FleetQueue.Cursor(argument) else {
            throw ValidationError("a cursor is 0, or the member cursor of a line that results has printed")
        }
        self.cursor = cursor
    }

    /// Refuses one behind which not all that is new would come.
    ///
    /// - Throws: ``FleetFailure``
    func check(_ queue: FleetQueue) throws {
        switch try queue.verdict(on: cursor) {
        case .goesOn: return
        case .beginsAgain(at: .start):
            throw FleetFailure(
                .unsuccessful,
                "This cursor is of another database, or of a time that this one has lost, since it was restored: begin "
                    + "with --after 0."
            )
        case .beginsAgain(let place):
            throw FleetFailure(
                .unsuccessful,
                "Since this cursor was given, the database has failed over or was restored, and has lost records. Those "
                    + "that were seen and are lost come again when their jobs have ended: begin with --after \(place.text)."
            )
        }
    }
}

extension ConfigOptions {
    /// Refuses a batch that isn't there.
    ///
    /// - Throws: ``FleetFailure``
    func check(_ batch: Int64?, _ queue: FleetQueue) throws {
        guard let batch, try !asked({ try queue.has(batch) }) else { return }
        throw FleetFailure.noBatch(batch)
    }
}

/// Lists jobs.
struct Jobs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists jobs: number, state, node, reason and URL.",
        discussion: SelectionOptions.words
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup(title: "Which jobs") var which: SelectionOptions
    @Option(help: ArgumentHelp("At most this many jobs.", valueName: "number"))
    var limit: Int?
    @Flag(help: "Prints a line of JSON for each job.")
    var json = false

    /// Returns the jobs that are meant.
    ///
    /// - Throws: An error for people where that makes no sense.
    func selection() throws -> JobSelection {
        let states = Set(JobSelection.State.allCases)
        return try which.selection(usual: states, allowed: states)
    }

    func validate() throws {
        _ = try selection()
        if let limit, limit < 1 { throw ValidationError("--limit is 1 or more.") }
    }

    func run() throws {
        let queue = try config.queue()
        let selection = try selection()
        try asked { try which.check(selection, queue) }
        var (left, last) = (limit ?? .max, Int64(0))
        while left > 0 {
            let page = try asked { try queue.jobs(selection, after: last, atMost: min(left, 1000)) }
            for job in page { Output.line(json ? UserInformation.masked(in: job.json) : Self.line(job)) }
            guard let end = page.last?.job else { return }
            (left, last) = (left - page.count, end)
        }
    }

    /// A line for people.
    static func line(_ job: FleetQueue.JobLine) -> String {
        let words = ["\(job.job)", job.state, job.node, job.code, UserInformation.masked(url: job.url)]
        return words.compactMap { $0 }.joined(separator: "  ")
    }
}

/// Finds documents.
struct Find: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Prints where the documents are that came from a URL or have a SHA-256, a line of JSON each.",
        discussion: """
            Documents of batches that were forgotten are among them, with forgotten_at. By a SHA-256 it reads all \
            records, which takes a while.
            """
    )

    @OptionGroup var config: ConfigOptions
    @Argument(help: ArgumentHelp("A URL, or 64 hexadecimal digits.", valueName: "what"))
    var what: String

    func run() throws {
        let isHash = what.utf8.isHex(count: 64)
        let found = try asked {
            let queue = try config.queue()
            return try isHash ? queue.documents(sha256: what) : queue.documents(url: what)
        }
        guard !found.isEmpty else { throw FleetFailure(.unsuccessful, "There is no document of that.") }
        for line in found { Output.line(UserInformation.masked(in: line)) }
    }
}
