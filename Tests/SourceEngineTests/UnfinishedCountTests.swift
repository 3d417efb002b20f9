import Testing

@testable import SourceEngine

@Suite("The count of a source's unfinished jobs")
struct UnfinishedCountTests {
    @Test("is taken for a long list a few times, not before each piece")
    func longList() {
        var (unfinished, counts, rows) = (UnfinishedCount(), 0, 0)
        while rows < 1_000_000 {
            if unfinished.isDue(ahead: 10_000_000) {
                unfinished.count(rows)
                counts += 1
            }
            #expect(unfinished.atMost == rows)
            unfinished.add(1000)
            rows += 1000
        }
        #expect(counts == 1)
    }

    @Test("is taken before each page where there is room for few")
    func shortList() {
        var unfinished = UnfinishedCount()
        #expect(unfinished.isDue(ahead: 500))
        unfinished.count(100)
        #expect(!unfinished.isDue(ahead: 500))
        unfinished.add(199)
        #expect(!unfinished.isDue(ahead: 500))
        unfinished.add(1)
        #expect(unfinished.isDue(ahead: 500))
    }

    @Test("is taken as long as there is no room, and after a rest")
    func noRoom() {
        var unfinished = UnfinishedCount()
        unfinished.count(500)
        #expect(unfinished.isDue(ahead: 500))
        unfinished.count(501)
        #expect(unfinished.isDue(ahead: 500))
        unfinished.count(0)
        #expect(!unfinished.isDue(ahead: 500))
        unfinished.forget()
        #expect(unfinished.isDue(ahead: 500))
    }
}
