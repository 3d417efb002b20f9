import JobModel
import Synchronization
import Testing
import Vocabulary

@testable import SourceEngine

@Suite("The newest links of unfinished jobs")
struct NewestLinksTests {
    private let one = JobID(rawValue: 1)
    private let two = JobID(rawValue: 2)

    private func moved(_ links: NewestLinks, _ reports: [(JobID, TransferReport)]) -> [String] {
        var moved: [String] = []
        links.follow(reports) { moved.append("\($0) \($1.text)") }
        return moved
    }

    @Test("A job whose link is refused takes the newest one, once, and nobody else's failure takes any")
    func refused() throws {
        let links = NewestLinks()
        links.note(try JobURL("https://h/1?v=1"), of: one)
        links.note(try JobURL("https://h/1?v=2"), of: one)
        let other = JobFailure(.http(500), "no")
        #expect(
            moved(links, [(one, .ended(.interrupted(other, retryAfter: nil))), (one, .progressed(bytes: 1))])
                .isEmpty
        )
        let gone = TransferReport.ended(.refused(JobFailure(.http(410), "gone")))
        #expect(moved(links, [(two, gone), (one, gone), (one, gone)]) == ["\(one) https://h/1?v=2"])
    }

    @Test("Nothing is remembered of a job whose file has come")
    func done() throws {
        let links = NewestLinks()
        links.note(try JobURL("https://h/1?v=1"), of: one)
        #expect(moved(links, [(one, .ended(.completed(length: 1, lengthProven: true)))]).isEmpty)
        #expect(moved(links, [(one, .ended(.refused(JobFailure(.http(403), "no"))))]).isEmpty)
    }

    @Test("However many there are, a bounded number is kept, the newest of them")
    func bounded() throws {
        let links = NewestLinks()
        for number in 1...Int64(5 * NewestLinks.room) {
            links.note(try JobURL("https://h/\(number)"), of: JobID(rawValue: number))
        }
        let kept = (1...Int64(5 * NewestLinks.room)).filter { links.popLink(of: JobID(rawValue: $0)) != nil }
        #expect((NewestLinks.room...2 * NewestLinks.room).contains(kept.count))
        #expect(kept.first.map { $0 > 2 * Int64(NewestLinks.room) } ?? false)
    }

    @Test("The link that a job has is no newer one")
    func same() throws {
        let links = NewestLinks()
        let url = try JobURL("https://h/1")
        links.note(url, of: one)
        #expect(links.popLink(of: one, insteadOf: url) == nil)
    }
}
