import Foundation
import GRDB
import JobModel
import Vocabulary

/// The fingerprints of the documents that are there, in blocks by their jobs' ids: 8 bytes each, 0 for none.
///
/// So those of a million documents are read in milliseconds. The truth is in the jobs' rows: what is found here is
/// looked at there, and a block whose length isn't right counts as none.
enum FingerprintBlocks {
    /// The jobs of a block, whose row fills a page of the database.
    static let jobsPerBlock: Int64 = 500
    private static let width = 8

    /// The table, a row for each block in which there is a fingerprint.
    static let table = "CREATE TABLE fingerprints (block INTEGER PRIMARY KEY, bits BLOB NOT NULL) STRICT"

    /// Writes the fingerprints of some jobs, nil for none.
    static func write(_ changes: [Int64: Fingerprint?], _ database: Database) throws {
        guard !changes.isEmpty else { return }
        let selection = try BoundStatement("SELECT bits FROM fingerprints WHERE block = ?", database)
        let replacement = try BoundStatement("INSERT OR REPLACE INTO fingerprints VALUES (?, ?)", database)
        // A damaged row can have any number.
        let jobs = changes.keys.filter { $0 > 0 }
        for (block, jobs) in Dictionary(grouping: jobs, by: { $0 / jobsPerBlock }) {
            try selection.bind(block, at: 1)
            var bits: [UInt8]?
            try selection.forEachRow { row in bits = row.withBytes(0) { isWhole($0) ? Array($0) : nil } }
            // Where there is none, none has to be taken away.
            if bits == nil, jobs.allSatisfy({ (changes[$0] ?? nil) == nil }) { continue }
            var new = bits ?? Array(repeating: 0, count: Int(jobsPerBlock) * width)
            for job in jobs {
                let value = ((changes[job] ?? nil)?.bits ?? 0).littleEndian
                let place = Int(job % jobsPerBlock) * width
                withUnsafeBytes(of: value) { new.replaceSubrange(place..<place + width, with: $0) }
            }
            guard new != bits else { continue }
            try replacement.bind(block, at: 1)
            try replacement.bind(Data(new).databaseValue, at: 2)
            try replacement.run()
        }
    }

    /// Calls `body` with each job that has a fingerprint, in ascending order of their ids.
    static func forEach(_ database: Database, _ body: (_ job: Int64, _ bits: UInt64) -> Void) throws {
        let statement = try BoundStatement("SELECT block, bits FROM fingerprints ORDER BY block", database)
        try statement.forEachRow { row in
            let first = row.integer(0) &* jobsPerBlock
            row.withBytes(1) { bytes in
                guard isWhole(bytes) else { return }
                for place in 0..<Int(jobsPerBlock) {
                    let bits = bytes.loadUnaligned(fromByteOffset: place * width, as: UInt64.self)
                    if bits != 0 { body(first &+ Int64(place), UInt64(littleEndian: bits)) }
                }
            }
        }
    }

    private static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == Int(jobsPerBlock) * width
    }
}
