import ControlAPI
import Foundation
import PaintedPictures
import TestSupport
import Testing

/// Documents that make room for others, under the real daemon.
@Suite(.timeLimit(.minutes(3))) struct EvictionTests {
    /// The job whose document made room, once all three are done and two have theirs; nil when that takes two
    /// minutes.
    private func whoMadeRoom(_ installation: Installation, not other: Int64? = nil) async throws -> JobJSON? {
        let begun = ContinuousClock.now
        while ContinuousClock.now - begun < .seconds(120) {
            let jobs = try await installation.allJobs()
            let gone = jobs.filter { $0.path == nil }
            if jobs.count == 3, jobs.allSatisfy({ $0.state == .known(.done) }), gone.count == 1,
                gone.first?.id != other
            {
                return gone.first
            }
        }
        return nil
    }

    @Test("A document that made room leaves its job, its result and its thumbnail, and can be fetched again")
    func whatIsLeft() async throws {
        let list = try ListOrigin(count: 3)
        defer { list.origin.stop() }
        let pictures = try (1...3).map { try PaintedPicture(faces: $0, seed: UInt64($0)).jpeg() }
        for (number, picture) in zip(1..., pictures) {
            list.origin.serve("/picture/\(number).jpg", OriginFile(picture))
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: [
            "FACEFETCH_DOCUMENTS_MAXIMUM_SIZE": "\(pictures.map(\.count).reduce(0, +))"
        ])
        #expect(try await installation.addSource(list.recipe(more: "keep: evictable")).status == 0)
        let gone = try #require(try await whoMadeRoom(installation))
        #expect(await installation.logs("removed \"\(gone.name)\" to make room"))
        #expect(gone.path == nil && gone.state == .known(.done))
        #expect(gone.detection?.faceCount != nil && gone.sha256 != nil)
        #expect(!FileManager.default.fileExists(atPath: installation.documents + "/" + gone.name))
        // Thumbnails are kept a moment after results.
        let name = "\(gone.sha256 ?? "")-thumb.jpg"
        try await waitWhile {
            !(FileManager.default.subpaths(atPath: installation.cache) ?? []).contains { $0.hasSuffix(name) }
        }
        let target = "/v1/jobs/\(gone.id)"
        let thumbnail = try await HTTPClient.send("GET", target + "/picture/thumb", to: installation.socket)
        #expect(thumbnail.status == 200 && thumbnail.body.starts(with: [0xFF, 0xD8, 0xFF]))
        // A larger one can't be made any more.
        let medium = try await HTTPClient.send("GET", target + "/picture/medium", to: installation.socket)
        #expect(medium.body == thumbnail.body)
        let document = try await HTTPClient.send("GET", target + "/document", to: installation.socket)
        #expect(document.status == 410 && document.text.contains("was removed"))
        let shown = try await installation.facefetch("show", "\(gone.id)")
        #expect(shown.output.contains("removed on "))
        #expect(try await installation.facefetch("list").output.contains("done, removed"))
        let index = try await HTTPClient.send("GET", "/v1/documents/index", to: installation.socket)
        #expect(index.body.count == 3 * 8)
        // Its key is known, and it isn't missing: the list has nothing new.
        _ = try await installation.facefetch("source", "poll", "list", "--missing")
        let again = try #require(
            try await installation.source { $0.walk?.number == 2 && $0.state.code == .ended }
        )
        #expect(again.new == 0)
        let requests = list.origin.requests("/picture/\(gone.itemKey ?? "").jpg").count
        #expect(requests == 1)
        #expect(try await installation.facefetch("retry", "\(gone.id)").status == 0)
        let next = try #require(try await whoMadeRoom(installation, not: gone.id))
        #expect(next.id != gone.id)
        #expect(await daemon.stop() == 0)
    }

    @Test(
        "A disk of 200 MB is kept under its bound by 2,000 pictures while clients read them",
        .enabled(if: MemoryDisk.isPossible, Comment(rawValue: MemoryDisk.comment))
    )
    func smallDisk() async throws {
        let maximum = 96 << 20
        let count = 2000
        let list = try ListOrigin(count: count, pageSize: 500)
        defer { list.origin.stop() }
        let padding = OriginContent.bytes(seed: 1, count: 80_000)
        // Between two readings of a favourite there are never more pictures than a few parts of the list, or
        // it would be the one that wasn't read for longest, wherever this test gets less of the machine than
        // the daemon does.
        let gates = (0..<12).map { _ in OriginGate() }
        gates[0].open()
        list.origin.serveOthers { request in
            let number = Int(request.path.split(separator: "/").last?.split(separator: ".").first ?? "") ?? 0
            let gate = gates[(count - number) * gates.count / count]
            return OriginFile(Array(request.path.utf8) + padding).answer(to: request).held(by: gate)
        }
        let disk = try MemoryDisk(bytes: 200_000_000)
        let installation = try Installation(in: disk.path)
        let daemon = try await installation.startDaemon(environment: [
            "FACEFETCH_DOCUMENTS_MAXIMUM_SIZE": "\(maximum)", "FACEFETCH_DETECTION_WHEN": "never",
            "FACEFETCH_DISK_RESERVE": "\(8 << 20)", "FACEFETCH_TRANSFER_PER_HOST": "16",
        ])
        let follower = try installation.follow()
        #expect(try await installation.addSource(list.recipe(more: "keep: evictable")).status == 0)
        #expect(await follower.outputLine(containing: "stored \"") != nil)
        let first = try #require(try await stored(installation, atLeast: 5).first)
        #expect(try await installation.facefetch("pin", "\(first.id)").status == 0)
        let favourites = try await stored(installation, atLeast: 5).dropFirst().prefix(4)
        let changed = try #require(favourites.last)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: try #require(changed.path)))
        var readings = 0
        var mostBytes = 0
        var number = 0
        var closed = gates.dropFirst()
        var isOver = false
        while !isOver {
            let gate = closed.popFirst()
            await gate?.reached()
            // What somebody comes back to stays, and whatever is read is whole, or gone.
            for favourite in favourites.dropLast() {
                let answer = try await document(favourite.id, installation)
                #expect(answer.status == 200 && answer.body.count == favourite.bytes)
                readings += 1
            }
            number += 97
            let other = try await document(Int64(number % count + 1), installation)
            #expect([200, 409, 410, 404].contains(other.status))
            if other.status == 200, !other.body.starts(with: Array("mine".utf8)) {
                #expect(other.body.count > padding.count)
            }
            mostBytes = max(mostBytes, try bytes(in: installation.documents))
            gate?.open()
            let state = try await installation.source().state.code
            let isIdle = try await isIdle(installation)
            isOver = state == .ended && isIdle
        }
        let jobs = try await installation.allJobs()
        #expect(jobs.count == count && jobs.allSatisfy { $0.state == .known(.done) })
        let gone = jobs.filter { $0.evictedAt != nil }
        #expect(gone.count > 500 && gone.count < 1000, "\(gone.count)")
        #expect(mostBytes <= maximum && mostBytes > maximum / 2, "\(mostBytes)")
        #expect(readings > 10)
        for kept in jobs where kept.evictedAt == nil && kept.id != changed.id {
            let length = try FileManager.default.attributesOfItem(atPath: try #require(kept.path))[.size]
            #expect(length as? Int64 == kept.bytes)
        }
        #expect(!gone.contains { $0.id == first.id || favourites.map(\.id).contains($0.id) })
        #expect(try Data(contentsOf: URL(fileURLWithPath: try #require(changed.path))) == Data("mine".utf8))
        follower.signal(SIGKILL)
        #expect(await daemon.stop() == 0)
    }

    /// Jobs with documents, once there are so many.
    private func stored(_ installation: Installation, atLeast count: Int) async throws -> [JobJSON] {
        while true {
            let list = try await installation.facefetch("list", "--state", "done", "--json")
            let jobs = try installation.jobs(list).filter { $0.path != nil }
            if jobs.count >= count { return jobs }
        }
    }

    private func isIdle(_ installation: Installation) async throws -> Bool {
        let status = try await HTTPClient.send("GET", "/v1/status", to: installation.socket)
            .decoded(as: StatusJSON.self)
        return status.jobs.values.reduce(0, +) == status.jobs[.known(.done)]
    }

    private func document(_ job: Int64, _ installation: Installation) async throws -> HTTPClient.Response {
        try await HTTPClient.send("GET", "/v1/jobs/\(job)/document", to: installation.socket)
    }

    /// The bytes of all documents, as they are at about the same time.
    private func bytes(in folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, name in
            var status = stat()
            return lstat(folder + "/" + name, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }
}
