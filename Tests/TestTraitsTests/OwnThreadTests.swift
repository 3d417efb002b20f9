import TestTraits
import Testing

@Suite("Tests on threads of their own", .ownThread)
struct OwnThreadTests {
    @Test("A test that never awaits is not on a shared thread")
    func synchronous() {
        #expect(OwnThread.isCurrent)
    }

    @Test("Nor is one that does, also after it waited", arguments: 1...2)
    func asynchronous(_: Int) async {
        #expect(OwnThread.isCurrent)
        await Task.yield()
        #expect(OwnThread.isCurrent)
        async let child = OwnThread.isCurrent
        #expect(await child)
    }
}
