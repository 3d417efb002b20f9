import ArgumentParser
import Vocabulary

/// The options that say which jobs a command is about.
struct SelectionOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The jobs' numbers.", valueName: "job"))
    var jobs: [Int64] = []
    @Option(help: ArgumentHelp("Jobs of this batch.", valueName: "number"))
    var batch: Int64?
    @Option(help: ArgumentHelp("Jobs of this host, such as example.org.", valueName: "name"))
    var host: [String] = []
    @Option(help: ArgumentHelp("Jobs that this node holds, or has ended.", valueName: "name"))
    var node: [String] = []
    @Option(help: ArgumentHelp("Jobs that failed for this reason, such as http_503.", valueName: "code"))
    var code: [String] = []
    @Option(
        help: ArgumentHelp(
            "Jobs in this state: \(stateNames), as far as the command is for them.",
            valueName: "state"
        )
    )
    var state: [String] = []
    @Flag(help: "All jobs for which this makes sense.")
    var all = false

    /// Words on how the options go together.
    static let words = """
        Selects the jobs that match everything given. --host, --node, --code and --state take several values, with \
        commas or given again: any of them matches.
        """

    /// The names of all states.
    private static let stateNames = JobSelection.State.allCases.map(\.rawValue).joined(separator: ", ")

    /// Returns the jobs that are meant.
    ///
    /// - Parameters:
    ///   - usual: The states that are meant where none is named.
    ///   - allowed: Those that may be.
    /// - Throws: An error for people where nothing is said, or what makes no sense.
    func selection(usual: Set<JobSelection.State>, allowed: Set<JobSelection.State>) throws -> JobSelection {
        var selection = JobSelection(usual)
        selection.jobs = jobs
        selection.batch = batch
        (selection.hosts, selection.nodes, selection.codes) = (list(host), list(node), list(code))
        let isNarrow = !jobs.isEmpty || batch != nil || ![host, node, code, state].allSatisfy(\.isEmpty)
        guard isNarrow != all else {
            throw ValidationError(
                all
                    ? "Give either --all, or say which jobs."
                    : "Name jobs, or say which with --batch, --host, --node, --code or --state, or give --all."
            )
        }
        for (name, given, read) in [
            ("host", host, selection.hosts), ("node", node, selection.nodes), ("code", code, selection.codes),
            ("state", state, list(state)),
        ] where !given.isEmpty && read.isEmpty { throw ValidationError("--\(name) needs a value.") }
        for host in selection.hosts { try HostArgument.check(host) }
        guard code.isEmpty || allowed.contains(.failed) else {
            throw ValidationError("Only failed jobs have a code: use --code with retry or jobs.")
        }
        if !state.isEmpty { selection.states = try states(allowed) }
        guard !selection.meant.isEmpty else {
            throw ValidationError(
                "No job can match: only what is held or has ended has a node, and only what has failed a code."
            )
        }
        return selection
    }

    private func states(_ allowed: Set<JobSelection.State>) throws -> Set<JobSelection.State> {
        let states = list(state).compactMap(JobSelection.State.init)
        guard states.count == list(state).count, allowed.isSuperset(of: states) else {
            let names = JobSelection.State.allCases.filter(allowed.contains).map(\.rawValue)
            throw ValidationError("--state is one of \(names.joined(separator: ", ")) here.")
        }
        return Set(states)
    }

    private func list(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }.map(\.trimmed).filter { !$0.isEmpty }
    }

    /// Refuses batches, jobs and nodes that aren't there.
    ///
    /// - Throws: ``FleetFailure``
    func check(_ selection: JobSelection, _ queue: FleetQueue) throws {
        if let batch = selection.batch, try !queue.has(batch) { throw FleetFailure.noBatch(batch) }
        if !selection.jobs.isEmpty, let job = try queue.unknown(of: selection.jobs) {
            throw FleetFailure(.unsuccessful, "There is no job \(job).")
        }
        if !selection.nodes.isEmpty, let node = try queue.unknown(of: selection.nodes) {
            throw FleetFailure(.unsuccessful, "There is no node \(node).")
        }
    }
}

/// The options of a command that steers jobs.
struct SteeringOptions: ParsableArguments {
    @OptionGroup(title: "Which jobs") var which: SelectionOptions
    @Flag(help: "Changes nothing, and prints how many jobs there would be.")
    var dryRun = false

    /// Steers jobs and prints their number.
    ///
    /// - Throws: ``FleetFailure``
    func steer(_ action: FleetQueue.Steering, _ selection: JobSelection, _ config: ConfigOptions) throws {
        let steered = try asked {
            let queue = try config.queue()
            try which.check(selection, queue)
            return try dryRun ? queue.count(action, selection) : queue.steer(action, selection)
        }
        if steered.without > 0 {
            Output.note(
                "Left out, because their header fields are gone: \(steered.without). Add those jobs again."
            )
        }
        Output.line("\(steered.changed)")
    }
}
