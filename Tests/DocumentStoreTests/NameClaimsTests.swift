import JobModel
import TestSupport
import Testing
import Vocabulary

@testable import DocumentStore

struct NameClaimsTests {
    /// A directory that counts how often it is asked for a name.
    private struct Folder {
        var names: Set<String> = []
        var lookups = 0

        mutating func claim(_ wanted: String, for job: Int64, in claims: inout NameClaims) -> String {
            claims.claim(wanted, for: JobID(rawValue: job)) { name in
                lookups += 1
                return names.contains(name)
            }
        }

        mutating func publish(_ name: String, of job: Int64, in claims: inout NameClaims) -> Bool {
            claims.release(JobID(rawValue: job))
            return names.insert(name).inserted
        }
    }

    @Test("Thousands who want one name, sixteen at a time, look once each, and never race for a name")
    func equalNames() {
        var folder = Folder()
        var claims = NameClaims()
        var onTheWay: [(job: Int64, name: String)] = []
        for job in 1...5000 as ClosedRange<Int64> {
            onTheWay.append((job, folder.claim("image.jpg", for: job, in: &claims)))
            if onTheWay.count < 16 { continue }
            let (job, name) = onTheWay.removeFirst()
            #expect(folder.publish(name, of: job, in: &claims))
        }
        for (job, name) in onTheWay { #expect(folder.publish(name, of: job, in: &claims)) }
        #expect(folder.names.count == 5000)
        #expect(folder.names.isSuperset(of: ["image.jpg", "image (2).jpg", "image (5000).jpg"]))
        #expect(folder.lookups == 5000)
    }

    @Test(
        "After a restart the next number is found in a few leaps",
        arguments: [1, 7, 8, 9, 100, 4999, 100_000]
    )
    func restart(count: Int) {
        var folder = Folder(names: Set((1...count).map { DocumentName.numbered("image.jpg", $0) }))
        var claims = NameClaims()
        #expect(folder.claim("image.jpg", for: 1, in: &claims) == "image (\(count + 1)).jpg")
        #expect(folder.lookups <= 60)
        #expect(folder.claim("image.jpg", for: 2, in: &claims) == "image (\(count + 2)).jpg")
        #expect(folder.lookups <= 61)
    }

    @Test("Strangers' files are never given, wherever they lie", arguments: 1...20)
    func strangers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var folder = Folder()
        for _ in 0..<200 {
            folder.names.insert(DocumentName.numbered("a.jpg", Int.random(in: 1...400, using: &generator)))
        }
        var claims = NameClaims()
        for job in 1...500 as ClosedRange<Int64> {
            let name = folder.claim("a.jpg", for: job, in: &claims)
            #expect(folder.publish(name, of: job, in: &claims))
        }
    }

    @Test("A name that was given up is given to the next, and a job that asks again gets its own again")
    func givenUp() {
        var folder = Folder()
        var claims = NameClaims()
        #expect(folder.claim("a.jpg", for: 1, in: &claims) == "a.jpg")
        #expect(folder.claim("a.jpg", for: 2, in: &claims) == "a (2).jpg")
        #expect(folder.claim("a.jpg", for: 1, in: &claims) == "a.jpg")
        claims.abandon(JobID(rawValue: 1))
        #expect(folder.claim("a.jpg", for: 3, in: &claims) == "a.jpg")
        folder.names.insert("a.jpg")
        #expect(folder.claim("a.jpg", for: 3, in: &claims) == "a (3).jpg", "somebody was faster")
    }

    @Test("Names that an earlier run of the daemon gave are given to nobody else")
    func restored() {
        var folder = Folder()
        var claims = NameClaims()
        claims.restore("a.jpg", of: JobID(rawValue: 1))
        #expect(folder.claim("a.jpg", for: 2, in: &claims) == "a (2).jpg")
        #expect(folder.claim("a (2).jpg", for: 3, in: &claims) == "a (2) (2).jpg")
    }

    @Test("However many names there are, what is kept of them is bounded, and none is given twice")
    func bounded() {
        var folder = Folder()
        var claims = NameClaims()
        for job in 1...25_000 as ClosedRange<Int64> {
            let name = folder.claim("\(job % 12_000).jpg", for: job, in: &claims)
            #expect(folder.publish(name, of: job, in: &claims))
        }
        #expect(folder.lookups < 60_000)
    }
}
