import JobModel
import Testing

@testable import facefetchd

@Suite("Pictures that are kept for who asks again")
struct PictureShelfTests {
    private func key(_ number: Int, _ size: PictureSize = .thumb) -> PictureShelf.Key {
        PictureShelf.Key(sha256: "\(number)", size: size)
    }

    @Test("a picture is found by its document's bytes and its size")
    func found() {
        var shelf = PictureShelf(limit: 1000)
        shelf.keep([1, 2], as: key(1))
        #expect(shelf.picture(key(1)) == [1, 2])
        #expect(shelf.picture(key(1, .large)) == nil && shelf.picture(key(2)) == nil)
        shelf.keep([3], as: key(1))
        #expect(shelf.picture(key(1)) == [3] && shelf.length == 1)
    }

    @Test("it never has more than it may, and gives up what nobody has asked for longest")
    func bounded() {
        var shelf = PictureShelf(limit: 1000)
        for number in 0..<50 {
            shelf.keep([UInt8](repeating: 0, count: 100), as: key(number))
            #expect(shelf.length <= 1000)
            #expect(shelf.picture(key(0)) != nil, "somebody asks for it all the time")
        }
        #expect(shelf.picture(key(49)) != nil && shelf.picture(key(1)) == nil)
    }

    @Test("what would take the room of all others isn't kept")
    func large() {
        var shelf = PictureShelf(limit: 1000)
        shelf.keep([UInt8](repeating: 0, count: 251), as: key(1))
        #expect(shelf.picture(key(1)) == nil && shelf.length == 0)
    }
}
