import ArgumentParser

/// A command that steers jobs.
protocol SteeringCommand: ParsableCommand {
    var config: ConfigOptions { get }
    var jobs: SteeringOptions { get }
    /// The action.
    var action: FleetQueue.Steering { get }
    /// The states that are meant where none is named.
    var usual: Set<JobSelection.State> { get }
    /// Refuses what makes no sense beside which jobs are meant.
    func check() throws
}

extension SteeringCommand {
    var usual: Set<JobSelection.State> { action.states }

    func check() throws {}

    /// Returns the jobs that are meant.
    ///
    /// - Throws: An error for people where that makes no sense.
    func selection() throws -> JobSelection {
        try jobs.which.selection(usual: usual, allowed: action.states)
    }

    func validate() throws {
        try check()
        _ = try selection()
    }

    func run() throws { try jobs.steer(action, selection(), config) }

    /// Returns the help of a command that prints the number of jobs, with words of its own before those on which.
    fileprivate static func help(_ abstract: String, _ own: String...) -> CommandConfiguration {
        CommandConfiguration(
            abstract: "\(abstract) Prints the number of jobs.",
            discussion: (own + [SelectionOptions.words]).joined(separator: "\n\n")
        )
    }
}

/// Pauses jobs.
struct Pause: SteeringCommand {
    static let configuration = help(
        "Pauses what hasn't ended.",
        """
        Nodes give up within seconds what they hold of it; what they were fetching begins again when it goes on. What \
        is added later isn't paused.
        """
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup var jobs: SteeringOptions
    var action: FleetQueue.Steering { .pause }
}

/// Lets jobs go on.
struct Resume: SteeringCommand {
    static let configuration = help("Lets go on what is paused.")

    @OptionGroup var config: ConfigOptions
    @OptionGroup var jobs: SteeringOptions
    var action: FleetQueue.Steering { .resume }
}

/// Cancels jobs.
struct Cancel: SteeringCommand {
    static let configuration = help(
        "Cancels what hasn't ended.",
        "What nodes hold of it they give up within seconds. What has ended stays as it is."
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup var jobs: SteeringOptions
    var action: FleetQueue.Steering { .cancel }
}

/// Has jobs tried again.
struct Retry: SteeringCommand {
    static let configuration = help(
        "Queues again what failed or was cancelled.",
        """
        With --state done, what is done is fetched again as well, such as all that a lost node had: --node fetch-3 \
        --state done. Its record goes at once; its document, where there still is one, stays, and no record names it \
        any more.
        """,
        """
        Jobs that had header fields are left out, and their number is told: those went when the jobs ended, so they \
        have to be added again.
        """
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup var jobs: SteeringOptions
    @Flag(help: "Only what failed, as --state failed.")
    var failed = false
    var action: FleetQueue.Steering { .retry }
    var usual: Set<JobSelection.State> { failed ? [.failed] : [.failed, .cancelled] }

    func check() throws {
        if failed, !jobs.which.state.isEmpty { throw ValidationError("Give either --failed or --state.") }
    }
}

/// Gives jobs another priority.
struct Prioritize: SteeringCommand {
    static let configuration = help(
        "Gives what is queued or paused another priority.",
        """
        Within a host, jobs go by their priority. It holds until they have ended: what is tried again has the one that \
        it was added with. What a node holds already keeps its own.
        """
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup var jobs: SteeringOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The priority, from -100 to 100.", valueName: "number")
    )
    var to: Int
    var action: FleetQueue.Steering { .prioritize(to) }

    func check() throws {
        guard (-100...100).contains(to) else {
            throw ValidationError("The priority is \(to); it must be from -100 to 100.")
        }
    }
}
