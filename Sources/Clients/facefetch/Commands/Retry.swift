import ArgumentParser
import ControlAPI

/// The command `facefetch retry`, which tries jobs again.
struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Tries failed and waiting jobs again, now.",
        discussion: """
            With --url a job whose link has expired gets a new one; what has been fetched is kept \
            where the server proves that it is the same file. Header fields that you gave with the job \
            are sent again to the same server only; those of a cancelled job are forgotten. A document that was \
            removed to make room is fetched again.

            EXAMPLES
              facefetch retry --all
              facefetch retry --batch b3 --match holiday
              facefetch retry j3 --url 'https://example.org/a.jpg?token=new'
            """
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var selection: JobSelection

    @Option(help: ArgumentHelp("The file's new URL; for one job.", valueName: "new"))
    var url: String?

    func validate() throws {
        if url != nil, selection.jobs.count != 1 { throw ValidationError("--url is for one job: name it.") }
    }

    func run() throws {
        let body = url.map { RetryRequest(url: $0).json }
        try selection.steer(.retry, client: try connection.client(), body: body)
    }
}
