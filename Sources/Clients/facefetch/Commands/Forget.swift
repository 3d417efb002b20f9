import ArgumentParser
import ControlAPI
import FoundationEssentials

/// `facefetch forget`: removes what is known of jobs that have ended.
struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forgets jobs that have ended; their documents stay.",
        discussion: """
            A forgotten job is in no list any more, nor are its faces, and its \
            thumbnail is removed. Its document stays where it is. Jobs that are under way are not forgotten: cancel them first.

            EXAMPLES
              facefetch forget j3 j4
              facefetch forget --batch b1
              facefetch forget --state cancelled
              facefetch forget --ended-before 90d
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp("The jobs, as j3 or 3.", valueName: "job"),
        completion: NameCompletion.jobs,
        transform: JobName.init(argument:)
    )
    var jobs: [JobName] = []

    @Flag(help: "All jobs that have ended.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "All jobs that ended before then: 12h or 90d ago, or a time such as 2026-11-21T06:45:00Z.",
            valueName: "time"
        ),
        transform: SinceTime.init(argument:)
    )
    var endedBefore: SinceTime?

    @OptionGroup(title: "Which jobs") var filter: JobFilterOptions

    @Flag(help: "Prints one line of JSON.")
    var json = false

    func validate() throws {
        let ways = [!jobs.isEmpty, all, !filter.isEmpty, endedBefore != nil].filter { $0 }.count
        guard ways == 1 else {
            throw ValidationError(
                "Name jobs, as in j3 j4, or give --ended-before, or --all, or --batch, --state and the like: one of these."
            )
        }
    }

    func run() throws {
        let output = Output()
        let client = try connection.client()
        var answer = ForgottenJSON(forgotten: 0, kept: 0)
        var refusal: ClientError?
        for request in requests {
            do {
                let some = try request.map(client.forget) ?? client.forget(filter.query)
                answer.forgotten += some.forgotten
                answer.kept += some.kept
            } catch let error as ClientError where error.status == .unsuccessful {
                // The others may be such that have ended.
                refusal = error
            }
        }
        if let refusal, answer.forgotten == 0 { throw refusal }
        if !filter.isEmpty, answer.forgotten + answer.kept == 0 {
            try filter.refuseStrangers(client)
            throw ClientError.unsuccessful("No job matches: nothing was forgotten.")
        }
        if json {
            try output.line(JSONLine.text(answer))
        } else {
            try output.line(
                answer.forgotten == 0
                    ? "There was nothing to forget." : "Forgot \(Quantities.count(answer.forgotten, "job"))."
            )
        }
        try output.flush()
        if answer.kept > 0 {
            Output.note(
                "\(Quantities.count(answer.kept, "job")) under way: not forgotten. Cancel first what is to be forgotten."
            )
        }
        if let refusal { throw refusal }
        let isMissing = !jobs.isEmpty && answer.forgotten + answer.kept < Set(jobs).count
        if isMissing { Output.note("Some of these jobs don't exist.") }
        if isMissing || !jobs.isEmpty && answer.kept > 0 { throw ExitStatus.unsuccessful }
    }

    /// The requests, one after the other; nil is for what the filter lets through.
    private var requests: [ForgetRequest?] {
        if let batch = filter.onlyBatch { return [ForgetRequest(batch: batch.id)] }
        if !filter.isEmpty { return [nil] }
        if all { return [ForgetRequest(endedBefore: LocalTime.exact(Date()))] }
        if let endedBefore {
            return [ForgetRequest(endedBefore: LocalTime.exact(endedBefore.date(now: Date())))]
        }
        let ids = Set(jobs).map(\.id).sorted()
        return stride(from: 0, to: ids.count, by: ForgetRequest.idCount.upperBound).map { start in
            ForgetRequest(ids: Array(ids[start...].prefix(ForgetRequest.idCount.upperBound)))
        }
    }
}
