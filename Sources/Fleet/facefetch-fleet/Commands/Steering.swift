import ArgumentParser

/// A command that steers jobs.
protocol SteeringCommand: ParsableCommand {
    var config: ConfigOptions { get }
    var jobs: SteeringOptions { get }
    /// The action.
    var action: FleetQueue.Steering { get }
    /// The states that are meant where none is named.
    var usual: Set<JobSelection.State> { get }
}

extension SteeringCommand {
    var usual: Set<JobSelection.State> { action.states }

    /// Returns the jobs that are meant.
    ///
    /// - Throws: An error for people where that makes no sense.
    func selection() throws -> JobSelection {
        try jobs.which.selection(usual: usual, allowed: action.states)
    }

    func validate() throws { _ = try selection() }

    func run() throws { try jobs.steer(action, selection(), config) }
}

/// Pauses jobs.
struct Pause: SteeringCommand {
    static let configuration = CommandConfiguration(
        abstract: "Pauses what hasn't ended. Prints the number of jobs.",
        discussion: """
            Nodes give up within seconds what they hold of it; what they were fetching begins again when it goes on. \
            What is added later isn't paused.

            \(SelectionOptions.words)
            """
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup var jobs: SteeringOptions
    var action: FleetQueue.Steering { .pause }
}

/// Lets jobs go on.
struct Resume: SteeringCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lets go on what is paused. Prints the number of jobs.",
        discussion: SelectionOptions.words
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup var jobs: SteeringOptions
    var action: FleetQueue.Steering { .resume }
}

/// Cancels jobs.
struct Cancel: SteeringCommand {
    static let configuration = CommandConfiguration(
        abstract: "Cancels what hasn't ended. Prints the number of jobs.",
        discussion: """
            What nodes hold of it they give up within seconds. What has ended stays as it is.

            \(SelectionOptions.words)
            """
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup var jobs: SteeringOptions
    var action: FleetQueue.Steering { .cancel }
}

/// Has jobs tried again.
struct Retry: SteeringCommand {
    static let configuration = CommandConfiguration(
        abstract: "Queues again what failed or was cancelled. Prints the number of jobs.",
        discussion: """
            With --state done, what is done is fetched again as well, such as all that a lost node had: --node fetch-3 \
            --state done. Its record goes at once; its document, where there still is one, stays, and no record names \
            it any more.

            Jobs that had header fields are left out, and their number is told: those went when the jobs ended, so \
            they have to be added again.

            \(SelectionOptions.words)
            """
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup var jobs: SteeringOptions
    @Flag(help: "Only what failed, as --state failed.")
    var failed = false
    var action: FleetQueue.Steering { .retry }
    var usual: Set<JobSelection.State> { failed ? [.failed] : [.failed, .cancelled] }

    func validate() throws {
        if failed, !jobs.which.state.isEmpty { throw ValidationError("Give either --failed or --state.") }
        _ = try selection()
    }
}

/// Gives jobs another priority.
struct Prioritize: SteeringCommand {
    static let configuration = CommandConfiguration(
        abstract: "Gives what is queued or paused another priority. Prints the number of jobs.",
        discussion: """
            Within a host, jobs go by their priority. It holds until they have ended: what is tried again has the one \
            that it was added with. What a node holds already keeps its own.

            \(SelectionOptions.words)
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

    func validate() throws {
        guard (-100...100).contains(to) else {
            throw ValidationError("The priority is \(to); it must be from -100 to 100.")
        }
        _ = try selection()
    }
}
