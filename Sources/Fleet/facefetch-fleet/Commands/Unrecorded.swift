import ArgumentParser
import FleetCore

/// Tells which documents no record names.
struct Unrecorded: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints those documents of a list that no record names.",
        discussion: """
            The list comes on standard input: an absolute path as the daemon has it, or an address such as \
            s3://BUCKET/key, on each line. What it prints may be of a time that the database has lost, or of jobs that \
            were fetched again. Documents of batches that were forgotten are known, unless forget was given --wholly. A \
            path that any node has recorded is known. Where no record names any of the list, nothing is printed, and \
            the exit status is 1.

            Before you delete any: what is younger than a day may not be recorded yet, and what a daemon has fetched \
            for itself, or for another fleet, is in no record of this one. Nor is a sidecar. Nodes use again what is in \
            a bucket, however old: list and delete there under hold, once status says that no node holds anything.

            EXAMPLE
              find /var/lib/facefetch/documents -type f -ctime +1 ! -name '*.xmp' ! -path '*/.facefetch-*' |
                  facefetch-fleet unrecorded
            """
    )

    @OptionGroup var config: ConfigOptions

    func run() throws {
        let list = try OpenList("-")
        let queue = try config.queue()
        try asked {
            try queue.unrecorded {
                try Self.documents(of: list, atMost: 5000)
            } _: {
                // As they came: other escapes would name other files.
                for line in $0 { try Output.bytes(Array((line + "\n").utf8)) }
            }
        }
    }

    /// Reads up to so many documents of a list; nil after the last.
    ///
    /// - Throws: ``FleetFailure`` with the place of a line that no record could name
    static func documents(
        of list: OpenList,
        atMost most: Int
    ) throws(FleetFailure) -> [FleetQueue.ListedDocument]? {
        var documents: [FleetQueue.ListedDocument] = []
        while documents.count < most, let line = try list.line() {
            guard !line.isEmpty else { continue }
            // What is printed is deleted: so it has to be, byte by byte, what was given.
            guard line.count <= ListLine.longest, line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
                let text = String(validating: line, as: UTF8.self)
            else { throw FleetFailure(.usage, "\(list.place): no document has such a name.") }
            guard let addresses = DocumentStatements.addresses(of: text) else {
                throw FleetFailure(
                    .usage,
                    "\(list.place): give an absolute path without //, . and .., or an address such as s3://BUCKET/key."
                )
            }
            documents.append(FleetQueue.ListedDocument(line: text, addresses: addresses))
        }
        return documents.isEmpty ? nil : documents
    }
}
