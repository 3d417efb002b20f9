import FleetCore
import Testing

@Suite("The endings that a node has read and not yet dealt with")
struct ReportWindowTests {
    private func ending(_ job: Int64, _ state: FleetEnding.State = .done, token: Int64 = 7) -> FleetEnding {
        var ending = FleetEnding(
            job: FleetJob(fleet: "f1", job: job, token: token),
            local: job + 100,
            state: state
        )
        if state == .done { ending.path = "/d/\(job).jpg" }
        return ending
    }

    private func window(_ jobs: Int64..., uploads: Set<Int64>) -> ReportWindow {
        var window = ReportWindow(behind: 10)
        window.accept(jobs.map { (10 + $0, ending($0)) }, through: 20) { uploads.contains($0.job.job) }
        return window
    }

    private func jobs(_ endings: [FleetEnding]) -> [Int64] { endings.map(\.job.job) }

    @Test("Without uploads, everything can be reported at once, and is read then")
    func plain() {
        var window = window(1, 2, 5, uploads: [])
        #expect(window.read == 20 && window.through == 10)
        #expect(jobs(window.ready(atMost: 2)) == [1, 2])
        window.finish([ending(1)])
        #expect(window.through == 11)
        window.finish([ending(2), ending(5)])
        #expect(window.through == 20 && window.isEmpty)
    }

    @Test("A document that is long on its way holds up no other, but what is noted as read")
    func outOfOrder() {
        var window = window(1, 2, 3, 4, uploads: [1, 2, 4])
        #expect(jobs(window.ready(atMost: 9)) == [3] && window.uploadCount == 3)
        #expect(jobs(window.uploads(at: .zero, atMost: 2)) == [1, 2])
        #expect(window.uploads(at: .zero, atMost: 2).isEmpty)
        window.uploaded(ending(2), .stored, at: .zero)
        #expect(jobs(window.uploads(at: .zero, atMost: 2)) == [4])
        window.uploaded(ending(4), .stored, at: .zero)
        #expect(jobs(window.ready(atMost: 9)) == [2, 3, 4])
        window.finish(window.ready(atMost: 9))
        #expect(window.through == 10 && !window.isEmpty)
        window.uploaded(ending(1), .stored, at: .zero)
        window.finish([ending(1)])
        #expect(window.through == 20)
    }

    @Test("What failed is tried again later, and later still; one that can wait holds up no other")
    func tries() {
        var window = window(1, 2, uploads: [1, 2])
        var now = Duration.zero
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(jobs(window.uploads(at: now, atMost: 1)) == [1])
            window.uploaded(ending(1), .failed, at: now)
            #expect(
                jobs(window.uploads(at: now + .seconds(wait) - .nanoseconds(1), atMost: 1))
                    == (wait == 1 ? [2] : [])
            )
            window.uploaded(ending(2), .stored, at: now)
            now += .seconds(wait)
        }
    }

    @Test("A document that has changed goes back with its job; so does what is given up")
    func changes() {
        var window = window(1, 2, 3, uploads: [1, 2])
        _ = window.uploads(at: .zero, atMost: 1)
        window.uploaded(ending(1), .changed, at: .zero)
        #expect(window.ready(atMost: 9).map(\.state) == [.cancelled, .done])
        window.giveUp { _ in true }
        #expect(window.ready(atMost: 9).map(\.state) == [.cancelled, .cancelled, .done])
        // What comes late means nothing.
        window.uploaded(ending(2), .stored, at: .zero)
        #expect(window.ready(atMost: 9).map(\.state) == [.cancelled, .cancelled, .done])
    }

    @Test("A job that has ended again is what it is now; what was read already isn't taken in twice")
    func again() {
        var window = window(1, 2, uploads: [1])
        window.accept([(15, ending(9)), (21, ending(1, .failed))], through: 21) { _ in false }
        #expect(jobs(window.ready(atMost: 9)) == [2, 1] && window.read == 21)
        window.uploaded(ending(1), .stored, at: .zero)
        #expect(window.ready(atMost: 9).map(\.state) == [.done, .failed])
    }

    @Test("No more is read ahead than there is room for")
    func room() {
        var window = ReportWindow(behind: 0)
        window.accept((1...1999).map { ($0, ending($0)) }, through: 1999) { _ in true }
        #expect(window.hasRoom)
        window.accept([(2000, ending(2000))], through: 2000) { _ in true }
        #expect(!window.hasRoom)
    }
}

@Suite("Where a fleet's documents are")
struct DocumentPlaceTests {
    private static let hash = String(repeating: "0123456789abcdef", count: 4)

    private func ending(_ path: String?, sha256: String? = hash) -> FleetEnding {
        var ending = FleetEnding(job: FleetJob(fleet: "f1", job: 1, token: 2), local: 3, state: .done)
        (ending.path, ending.sha256) = (path, sha256)
        return ending
    }

    @Test(
        "A document with the daemon has the node's name before its path; one in a shared folder has its path"
    )
    func files() {
        #expect(DocumentPlace.local(node: "n1").address(of: ending("/d/a b.jpg")) == "file://n1/d/a%20b.jpg")
        #expect(
            DocumentPlace.local(node: "n#1").address(of: ending("/d/100%?é~.jpg"))
                == "file://n%231/d/100%25%3F%C3%A9~.jpg"
        )
        let shared = DocumentPlace.shared(folder: "/mnt/all")
        #expect(shared.address(of: ending("/mnt/all/n1/a.jpg")) == "/mnt/all/n1/a.jpg")
        #expect(shared.address(of: ending("/mnt/allies/a.jpg")) == nil)
        #expect(DocumentPlace.shared(folder: "/").address(of: ending("/a.jpg")) == "/a.jpg")
        #expect(shared.address(of: ending(nil)) == nil && shared.key(of: ending("/mnt/all/a.jpg")) == nil)
    }

    @Test(
        "One in a bucket has a key of its hash, and of its name a plain extension only",
        arguments: [
            ("/d/a.jpg", ".jpg"), ("/d/a.JPEG", ".jpeg"), ("/d/a", ""), ("/d/.jpg", ""), ("/d.x/a", ""),
            ("/d/a.", ""), ("/d/a.b c", ""), ("/d/a.é", ""), ("/d/a.123456789", ""), ("/d/a.tar.gz", ".gz"),
        ]
    )
    func keys(path: String, suffix: String) {
        let place = DocumentPlace.bucket("b", prefix: "p/")
        let key = "p/sha256/01/23/\(Self.hash)\(suffix)"
        #expect(place.key(of: ending(path)) == key)
        #expect(place.address(of: ending(path)) == "s3://b/\(key)")
        #expect(place.address(of: ending(path, sha256: nil)) == nil)
    }

    @Test("What was forgotten before it was read is noticed, and what was read before is not missed")
    func misses() {
        var window = ReportWindow(behind: 10)
        #expect(!window.hasMissed(above: nil) && !window.hasMissed(above: 0) && !window.hasMissed(above: 10))
        #expect(window.hasMissed(above: 11))
        window.accept([], through: 11) { _ in false }
        #expect(!window.hasMissed(above: 11))
    }
}
