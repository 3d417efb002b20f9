import JobModel
import Testing

@testable import ControlServer

@Suite("Room for the bodies of large posts")
struct BodyRoomTests {
    @Test("bodies are let in while there is room for them, together and for their user")
    func letsIn() {
        var room = BodyRoom(total: 150, perUser: 100)
        let first = room.ask(100, user: 1)
        let second = room.ask(1, user: 1)
        let other = room.ask(50, user: 2)
        let late = room.ask(1, user: 3)
        #expect(room.holds(first) && !room.holds(second) && room.holds(other) && !room.holds(late))
        let woken = room.leave(first)
        #expect(woken == [second, late])
        #expect(room.holds(second) && room.holds(late) && !room.isWaitedFor)
    }

    @Test(
        "bodies are let in while there is memory for what is made of them, too",
        arguments: [
            #"{"url":"http://a"}"#,
            #"{"url":"http://a","headers":{"#
                + (1...32).map { "\"h\($0)\":\"\"" }.joined(separator: ",") + "}}",
        ]
    )
    func items(item: String) throws {
        let count = 1000
        let body = "{\"items\":[" + Array(repeating: item, count: count).joined(separator: ",") + "]}"
        let items = try BatchReader.read(Array(body.utf8)).items
        let perItem = items.map { item in
            MemoryLayout<NewJob>.stride + item.url.text.utf8.count
                + item.options.headers.count * MemoryLayout<RequestHeader>.stride
        }
        #expect(perItem.reduce(0, +) + body.utf8.count <= BatchBody.memory(ofBody: body.utf8.count))
        // As many as a client can send at once, of the size that makes the most of their bytes.
        let size = body.utf8.count * 100
        var room = BodyRoom(largestBody: 64 << 20)
        let claims = (0..<400).map { room.ask(BatchBody.memory(ofBody: size), user: UInt32($0 % 5)) }
        let taken = claims.filter { room.holds($0) }.count * (size + perItem.reduce(0, +) * 100)
        #expect(taken > 10 << 20 && taken < 240 << 20)
    }

    @Test("who waits for room is not overtaken by a smaller one")
    func keepsOrder() {
        var room = BodyRoom(total: 150, perUser: 100)
        let first = room.ask(100, user: 1)
        let large = room.ask(80, user: 2)
        let small = room.ask(10, user: 3)
        #expect(!room.holds(large) && !room.holds(small))
        let woken = room.leave(first)
        #expect(woken == [large, small])
    }

    @Test("who waits for other bodies of their own holds up nobody else")
    func crowd() {
        var room = BodyRoom(total: 150, perUser: 100)
        let first = room.ask(100, user: 1)
        let crowd = (0..<50).map { _ in room.ask(100, user: 1) }
        let other = room.ask(50, user: 2)
        #expect(room.holds(first) && room.holds(other) && !crowd.contains { room.holds($0) })
        let woken = room.leave(first)
        #expect(woken == [crowd[0]])
        let none = room.leave(other)
        #expect(none.isEmpty)
    }

    @Test("what a body turns out not to need goes to the next, and who gives up leaves the line")
    func shrinks() {
        var room = BodyRoom(total: 150, perUser: 100)
        let first = room.ask(100, user: 1)
        let second = room.ask(90, user: 1)
        let third = room.ask(90, user: 1)
        let woken = room.shrink(first, to: 5)
        #expect(woken == [second])
        #expect(room.holds(second) && !room.holds(third))
        let left = [third, second, first, first].flatMap { room.leave($0) }
        #expect(left.isEmpty && !room.isWaitedFor)
        let again = room.ask(100, user: 1)
        #expect(room.holds(again))
    }

    @Test("whatever comes and goes, no limit is passed, and all get in in the end")
    func walk() {
        var room = BodyRoom(total: 150, perUser: 100)
        var generator = SystemRandomNumberGenerator()
        var claims: [BodyRoom.Claim] = []
        var sizes: [BodyRoom.Claim: (user: UInt32, size: Int)] = [:]
        for step in 0..<2000 {
            if step < 1500, claims.count < 40, Bool.random(using: &generator) {
                let (user, size) = (UInt32.random(in: 1...4), Int.random(in: 0...100))
                let claim = room.ask(size, user: user)
                claims.append(claim)
                sizes[claim] = (user, size)
            } else if let index = claims.indices.randomElement(), room.holds(claims[index]) {
                _ = room.leave(claims.remove(at: index))
            }
            let held = claims.filter { room.holds($0) }.compactMap { sizes[$0] }
            #expect(held.reduce(0) { $0 + $1.size } <= 150)
            for user in UInt32(1)...4 {
                #expect(held.filter { $0.user == user }.reduce(0) { $0 + $1.size } <= 100)
            }
        }
        while let index = claims.firstIndex(where: { room.holds($0) }) {
            _ = room.leave(claims.remove(at: index))
        }
        #expect(claims.isEmpty && !room.isWaitedFor)
    }
}
