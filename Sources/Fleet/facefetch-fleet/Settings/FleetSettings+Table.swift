import FoundationEssentials
import Vocabulary

extension FleetSettings {
    /// A setting, as its manual page shows it.
    struct Row: Encodable, Hashable, Sendable {
        /// The key.
        var key: String
        /// The values that it accepts.
        var expects: String
        /// The value that is in force without it; nil for none.
        var fallback: String?
        /// The purpose.
        var meaning: String

        /// A line of JSON.
        var json: String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        }
    }

    /// All settings, in the order of the manual.
    static let table = [
        Row(
            key: "database",
            expects: "a connection string of libpq, such as host=db.example dbname=facefetch",
            meaning:
                "The database of the queue. One of database and database-file is needed. Others must not be "
                + "able to read this file if a password is in it."
        ),
        Row(
            key: "database-file",
            expects: "the path of a file that nobody else may read",
            meaning: "A file whose first line is the connection string, for one with a password."
        ),
        Row(
            key: "node",
            expects: "a name without blanks and slashes",
            fallback: "the machine's name",
            meaning:
                "The node's name, which no other node of the fleet has. It stands in the address of each "
                + "document."
        ),
        Row(
            key: "socket",
            expects: "a path",
            fallback: "/run/facefetch/control.sock",
            meaning: "The control socket of the node's daemon."
        ),
        Row(
            key: "schema",
            expects: "letters, digits and underscores",
            fallback: "ff",
            meaning: "The schema of the fleet's tables; a database can have several fleets."
        ),
        Row(
            key: "lease",
            expects: DurationText.form(leases),
            fallback: "30s",
            meaning:
                "How long a node that isn't heard of keeps its hosts and jobs; others take over a sixth of that later. "
                + "The same on all nodes."
        ),
        Row(
            key: "slice",
            expects: "a number from 1 to 10000",
            fallback: "1000",
            meaning:
                "The most jobs that are claimed at once. The next slice is claimed when half of it has ended, so this is "
                + "also what a node has to do while the database is away."
        ),
        Row(
            key: "documents",
            expects: "local, path or s3",
            fallback: "local",
            meaning:
                "Where documents are: with the daemon that fetched them, in a folder that all nodes share, or in a "
                + "bucket. The same on all nodes."
        ),
        Row(
            key: "documents-path",
            expects: "an absolute path",
            meaning:
                "The shared folder, for \"documents: path\". All nodes have it under this path, and each node's daemon has "
                + "its documents directory in it."
        ),
        Row(
            key: "s3-bucket",
            expects: "the name of a bucket",
            meaning: "The bucket, for \"documents: s3\"."
        ),
        Row(
            key: "s3-prefix",
            expects: "letters, digits and -._~ in parts that end in a slash, such as pictures/",
            meaning: "What all keys in the bucket begin with."
        ),
        Row(
            key: "s3-region",
            expects: "a word such as eu-central-1",
            fallback: "us-east-1",
            meaning: "The region that requests are signed for."
        ),
        Row(
            key: "s3-endpoint",
            expects: "an http or https URL",
            meaning: "The bucket's server, if it isn't AWS."
        ),
        Row(
            key: "s3-credentials",
            expects: "the path of a file that nobody else may read",
            meaning: "A file in the form of ~/.aws/credentials, whose profile \"default\" has the keys."
        ),
        Row(
            key: "s3-uploads",
            expects: "a number from 1 to 64",
            fallback: "8",
            meaning: "The most documents that a node uploads at once."
        ),
        Row(
            key: "keep",
            expects: DurationText.form(keeps),
            meaning:
                "How long the node's daemon keeps jobs of the fleet that have ended, from when they were claimed, so that "
                + "its gallery and its exports show what it did. Without it they are forgotten there once they are recorded."
        ),
        Row(
            key: "metrics",
            expects: "an absolute path, such as /run/facefetch-fleet/metrics.prom",
            meaning:
                "A file for the agent's figures in Prometheus' text format, which the node exporter reads. It is "
                + "written again with each renewal of the lease."
        ),
    ]

    /// A settings file with every setting and its meaning, and none of them set.
    static var file: String {
        var lines = ["# Settings of a fleet's node: see fleet.yaml(5). One of the first two is needed."]
        for row in table {
            lines += ["", "# \(row.meaning)", "# Takes \(row.expects)."]
            lines.append("#\(row.key): \(row.fallback ?? "")".trimmingSuffix)
        }
        return lines.joined(separator: "\n")
    }
}

extension String {
    /// The text without blanks behind it.
    fileprivate var trimmingSuffix: String {
        var text = self[...]
        while text.hasSuffix(" ") { text = text.dropLast() }
        return String(text)
    }
}
