import Testing

@testable import ControlServer

@Suite("Room for answers that nobody reads")
struct UnreadRoomTests {
    @Test("past the room, the oldest answers of the user who has the most are given up")
    func givesUp() {
        var room = UnreadRoom(total: 100)
        let other = room.add(30, user: 2)
        let first = room.add(40, user: 1)
        let second = room.add(30, user: 1)
        #expect(other.cut.isEmpty && first.cut.isEmpty && second.cut.isEmpty)
        let third = room.add(35, user: 3)
        #expect(third.cut == [first.id])
        room.remove(first.id)
        room.remove(second.id)
        let fourth = room.add(35, user: 3)
        #expect(fourth.cut.isEmpty)
        #expect(room.add(1, user: 2).cut == [third.id])
    }

    @Test("an answer larger than all the room is given all of it")
    func large() {
        var room = UnreadRoom(total: 100)
        let small = room.add(1, user: 1)
        let large = room.add(200, user: 1)
        #expect(large.cut == [small.id])
        #expect(room.add(1, user: 1).cut == [large.id])
    }
}
