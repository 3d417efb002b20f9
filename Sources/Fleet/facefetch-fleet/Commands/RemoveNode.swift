import ArgumentParser

/// Removes a node that is gone for good from the list.
struct RemoveNode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes a node that is gone for good off the list of nodes.",
        discussion: """
            What it held goes back to the queue, if others haven't taken it over already. What it has recorded stays, \
            and so do its documents. If its agent is started again, it is a node again.
            """
    )

    @OptionGroup var config: ConfigOptions
    @Argument(help: ArgumentHelp("The node's name.", valueName: "name"))
    var name: String

    func run() throws {
        let timing = try config.settings().timing
        switch try asked({ try config.queue().remove(node: name, timing: timing) }) {
        case .removed: break
        case .lives:
            throw FleetFailure(
                .unsuccessful,
                "The node \(name) lives: stop its agent first, or wait for its lease to end."
            )
        case .unknown: throw FleetFailure(.unsuccessful, "There is no node \(name).")
        }
    }
}
