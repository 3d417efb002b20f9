import ArgumentParser
import FleetCore

/// Tells which documents no record names.
struct Unrecorded: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints those documents of a list that no record names.",
        discussion: """
            The list comes on standard input: a path, or an address such as s3://BUCKET/key, on each line. What it \
            prints may be of a time that the database has lost, of jobs that were fetched again, or of a node that is \
            gone. Documents of batches that were forgotten are known, unless forget was given --wholly.

            Before you delete any: what is younger than a day may not be recorded yet, and what a daemon has fetched \
            for itself, or for another fleet, is in no record of this one. Nor is a sidecar.

            EXAMPLE
              find /var/lib/facefetch/documents -type f -ctime +1 ! -name '*.xmp' |
                  facefetch-fleet unrecorded
            """
    )

    @OptionGroup var config: ConfigOptions
    @Option(
        help: ArgumentHelp(
            "The node that has the files, where they stay with the nodes; also a name that it had before. May be given "
                + "several times. The default is this one.",
            valueName: "name"
        )
    )
    var node: [String] = []

    func run() throws {
        let places = try Self.places(config.settings(), nodes: node)
        let list = try OpenList("-")
        let queue = try config.queue()
        try asked {
            try queue.unrecorded {
                try Self.documents(of: list, in: places, atMost: 5000)
            } _: {
                for line in $0 { try Output.record(line) }
            }
        }
    }

    /// Returns the places in which documents are recorded.
    ///
    /// - Throws: ``FleetFailure`` where nodes are named that have no documents
    static func places(_ settings: FleetSettings, nodes: [String]) throws(FleetFailure) -> [DocumentPlace] {
        guard !nodes.isEmpty else { return [settings.place] }
        guard case .local = settings.place else {
            throw FleetFailure(
                .usage,
                "--node is for documents that stay with their nodes (documents: local)."
            )
        }
        return nodes.map { .local(node: $0) }
    }

    /// Reads up to so many documents of a list; nil after the last.
    ///
    /// - Throws: ``FleetFailure`` with the place of a line that no record could name
    static func documents(
        of list: OpenList,
        in places: [DocumentPlace],
        atMost most: Int
    ) throws(FleetFailure) -> [FleetQueue.ListedDocument]? {
        var documents: [FleetQueue.ListedDocument] = []
        while documents.count < most, let line = try list.line() {
            guard !line.isEmpty else { continue }
            // What is printed is deleted: so it has to be, byte by byte, what was given.
            guard line.count <= ListLine.longest, line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
                let text = String(validating: line, as: UTF8.self)
            else { throw FleetFailure(.usage, "\(list.place): no document has such a name.") }
            let addresses = text.contains("://") ? [text] : places.compactMap { $0.address(ofFile: text) }
            guard !addresses.isEmpty, text.hasPrefix("/") || text.contains("://") else {
                throw FleetFailure(
                    .usage,
                    "\(list.place): give the absolute path of a file that is where fleet.yaml says that documents are, or "
                        + "an address such as s3://BUCKET/key."
                )
            }
            documents.append(FleetQueue.ListedDocument(line: text, addresses: addresses))
        }
        return documents.isEmpty ? nil : documents
    }
}
