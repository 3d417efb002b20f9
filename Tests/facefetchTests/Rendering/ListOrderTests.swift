import ControlAPI
import Foundation
import Testing

@testable import facefetch

@Suite("The order of a list")
struct ListOrderTests {
    /// Five jobs: of different sizes and faces, one of them without either.
    private let jobs: [JobJSON] = {
        var jobs = [
            Samples.job(1, faces: 2, name: "b.jpg"), Samples.job(2, faces: 9, name: "a.jpg"),
            Samples.job(3, state: "queued", name: "C.jpg"), Samples.job(4, faces: 2, name: "d.jpg"),
            Samples.job(5, faces: 0, name: "B.jpg"),
        ]
        for (index, size) in [500, 100, 0, 900, 300].enumerated() where size > 0 {
            (jobs[index].totalBytes, jobs[index].ended) = (Int64(size), Int64(50 - index))
        }
        return jobs
    }()

    @Test(
        "Each key has its own direction, equals are by id, and what has nothing is last",
        arguments: [
            (.name, false, [2, 1, 5, 3, 4]), (.name, true, [4, 3, 1, 5, 2]), (.size, false, [4, 1, 5, 2, 3]),
            (.size, true, [2, 5, 1, 4, 3]), (.faces, false, [2, 1, 4, 5, 3]),
            (.faces, true, [5, 1, 4, 2, 3]),
            (.ended, false, [1, 2, 4, 5, 3]), (.ended, true, [5, 4, 2, 1, 3]), (.id, false, [1, 2, 3, 4, 5]),
        ] as [(ListOrder.Key, Bool, [Int64])]
    )
    func orders(key: ListOrder.Key, isReversed: Bool, ids: [Int64]) {
        #expect(ListOrder(key: key, isReversed: isReversed).first(of: jobs).map(\.id) == ids)
        let two = ListOrder(key: key, isReversed: isReversed, limit: 2)
        #expect(two.first(of: jobs).map(\.id) == Array(ids.prefix(2)))
        // Whatever is kept on the way.
        let kept = two.first(of: Array(jobs.prefix(3))) + jobs.dropFirst(3)
        #expect(two.first(of: kept).map(\.id) == Array(ids.prefix(2)))
    }

    @Test("Why a job waits, failed or could not be looked at is told; of the others nothing")
    func reasons() {
        #expect(ShownJobs.reason(Samples.failedJob(1))?.hasPrefix("http_404: The server says 404") == true)
        var waiting = Samples.job(1, state: "waiting")
        waiting.waiting = .init(code: "timed_out", reason: "slow", until: "2026-11-21T06:45:03.611Z")
        #expect(ShownJobs.reason(waiting) == "slow")
        #expect(ShownJobs.reason(Samples.job(1)) == nil)
        #expect(ShownJobs.lines([Samples.job(1)], width: nil).allSatisfy { !$0.contains("REASON") })
    }

    @Test("No line ends with blanks, whatever columns have")
    func blanks() {
        let jobs = [Samples.failedJob(1), Samples.job(2), Samples.job(3, name: "a-longer-name.jpg")]
        let lines = ShownJobs.lines(jobs, width: nil)
        #expect(lines[0].hasSuffix("REASON") && lines[2].hasSuffix("  a.jpg"))
        for width in [nil, 60, 200] {
            #expect(ShownJobs.lines(jobs, width: width).allSatisfy { !$0.hasSuffix(" ") })
        }
    }

    @Test("Every code of a failure has something that helps")
    func remedies() throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardizedFileURL
        var codes: Set<String> = ["http_401", "http_404", "http_410", "http_418", "http_429", "http_502"]
        // Each that a part of the daemon has given a name.
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for code in text.matches(of: #/= FailureCode\(rawValue: "([a-z_]+)"\)/#) {
                codes.insert(String(code.1))
            }
        }
        #expect(codes.isSuperset(of: ["no_source", "refused_redirect", "protocol_error"]), "\(codes)")
        for code in codes {
            #expect(Remedy.sentence(code) != Remedy.sentence("something"), "\(code)")
        }
        #expect(
            ShownJob.lines(Samples.failedJob(1)).contains {
                $0.hasPrefix("What to do The server has no such")
            }
        )
    }
}
