import ArgumentParser
import ControlAPI
import Vocabulary

/// The command `facefetch list`, which lists jobs.
struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists jobs.",
        discussion: """
            SINCE ADDED is the time from when the batch was added to the end of the job, or to now; OWN TIME \
            is the job's alone, from when its server answered to its end. Where a job \
            waits, has failed or could not be looked at, a column says why, or a line below in a narrow window.

            On a terminal the first 200 are shown, and it is said if there are more; in a pipe all are. \
            Orders are ascending, but by size, faces and ended they begin with the most.

            EXAMPLES
              facefetch list --state failed
              facefetch list --outcome unreadable
              facefetch list --match holiday
              facefetch list --meta album=holiday --min-faces 2
              facefetch list --sort ended --limit 10
              facefetch list --batch b3 --json
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup(title: "Which jobs") var filter: JobFilterOptions

    @Option(help: ArgumentHelp("What jobs are ordered by: \(ListOrder.Key.list).", valueName: "key"))
    var sort = ListOrder.Key.id

    @Flag(help: "Reverses the order.")
    var reverse = false

    @Option(help: ArgumentHelp("At most this many jobs.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Prints JSON Lines, one job per line.")
    var json = false

    /// The number of jobs shown on a terminal by default.
    private static let most = 200
    /// The limits that a person can give: no more than can be reckoned with.
    private static let limits = 1...1_000_000_000

    func validate() throws {
        guard let limit, !Self.limits.contains(limit) else { return }
        throw ValidationError("--limit is from 1 to \(Quantities.grouped(Self.limits.upperBound)).")
    }

    func run() throws {
        let output = Output()
        let client = try connection.client()
        let order = ListOrder(
            key: sort,
            isReversed: reverse,
            limit: limit ?? (output.isTerminal && !json ? Self.most : nil)
        )
        let isPrinted = json && order.isDaemons && order.limit == nil
        var jobs: [JobJSON] = []
        var total: Int?
        var seen = 0
        try client.forEachPage(of: "/v1/jobs", query(order)) { (page: PageJSON<JobJSON>) in
            (total, seen) = (page.total ?? total, seen + page.items.count)
            if isPrinted {
                for job in page.items { try output.line(JSONLine.text(job)) }
                return true
            }
            jobs += page.items
            // Sorting now and then keeps no more than a few pages.
            if let limit = order.limit, jobs.count > limit + 10_000 { jobs = order.first(of: jobs) }
            guard order.isDaemons, let limit = order.limit else { return true }
            return jobs.count <= limit
        }
        let isMore = order.limit.map { max(seen, total ?? 0) > $0 } ?? false
        jobs = order.first(of: jobs)
        if json {
            for job in jobs { try output.line(JSONLine.text(job)) }
        } else if !jobs.isEmpty {
            for line in ShownJobs.lines(jobs, width: output.width) { try output.line(line) }
        }
        try output.flush()
        if seen == 0 {
            try filter.refuseStrangers(client)
            if !json { Output.note("There are no such jobs.") }
        } else if isMore, limit == nil {
            let all = total.map { "of \(Quantities.grouped($0))" } ?? "and there are more"
            Output.note(
                "The first \(Quantities.grouped(jobs.count)) \(all): --limit shows more, and --reverse begins at the other end."
            )
        }
    }

    /// The query parameters of the list.
    private func query(_ order: ListOrder) -> [(name: String, value: String?)] {
        let size = order.isDaemons ? order.limit.map { min(1000, $0 + 1) } : nil
        return filter.query + [
            ("order", order.isDaemons && order.isReversed ? "newest" : nil),
            ("limit", String(size ?? 1000)),
        ]
    }
}
