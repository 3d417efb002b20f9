import ArgumentParser
import FleetQueue
import Glibc

/// Adds items as one batch.
struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Adds URLs as one batch, whole or not at all, and prints its number.",
        discussion: """
            A list has one URL per line, or one JSON object per line, with url and, if wanted, name, sha256, \
            priority and headers. Empty lines and lines that begin with # are left out.
            """
    )

    @OptionGroup var config: ConfigOptions
    @Argument(help: ArgumentHelp("What to fetch.", valueName: "url"))
    var urls: [String] = []
    @Option(help: ArgumentHelp("A list; - is standard input. May be given several times.", valueName: "file"))
    var from: [String] = []
    @Option(help: ArgumentHelp("Under a key that is known, nothing is added again.", valueName: "text"))
    var key: String?
    @Option(
        help: ArgumentHelp("The priority of items that have none, from -100 to 100.", valueName: "number")
    )
    var priority = 0

    func validate() throws {
        guard !urls.isEmpty || !from.isEmpty else {
            throw ValidationError("Name URLs, or lists with --from.")
        }
        guard (-100...100).contains(priority) else {
            throw ValidationError("A priority is from -100 to 100.")
        }
    }

    func run() throws {
        let queue = try config.queue()
        // Checked as a whole before the first row is sent.
        var items = try urls.map { try ListLine.item(url: $0, priority: priority, place: $0) }
        for path in from { items += try ListLine.items(of: path, priority: priority) }
        guard !items.isEmpty else { throw FleetFailure(.usage, "There is nothing in it.") }
        var digest = ItemsDigest()
        if key != nil { for item in items { digest.update(with: item) } }
        var rest = items[...]
        let added = try asked {
            try queue.add(key: key, digest: key == nil ? nil : digest.text) {
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(5000) }
                return Array(rest.prefix(5000))
            }
        }
        switch added {
        case .new(let batch): Output.line("\(batch)")
        case .known(let batch):
            Output.note("This has been added before, under the same key.")
            Output.line("\(batch)")
        case .keyReused: throw FleetFailure(.usage, "The key \(key ?? "") has been used for another batch.")
        }
    }
}
