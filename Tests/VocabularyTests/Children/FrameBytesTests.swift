import Testing
import Vocabulary

struct FrameBytesTests {
    @Test(
        "Frames are taken off as they were put in, however the bytes are cut",
        arguments: [1, 3, 5, 70_000]
    )
    func pieces(_ piece: Int) {
        let bodies = [[], [1], Array(repeating: UInt8(7), count: 100_000), [2, 3]]
        let all = bodies.flatMap { FrameBytes.header($0.count) + $0 }
        var (bytes, taken) = (FrameBytes(), [[UInt8]]())
        for start in stride(from: 0, to: all.count, by: piece) {
            bytes.append(all[start..<min(start + piece, all.count)])
            while let length = bytes.length, bytes.peek(FrameBytes.lengthSize + length) != nil {
                bytes.drop(FrameBytes.lengthSize)
                taken.append(bytes.read(length) ?? [])
            }
        }
        #expect(taken == bodies)
        #expect(bytes.isEmpty)
    }

    @Test("A length is known once four bytes have arrived, and nothing is taken that hasn't")
    func length() {
        var bytes = FrameBytes()
        bytes.append([0, 1, 2])
        #expect(bytes.length == nil && !bytes.isEmpty)
        bytes.append([3])
        #expect(bytes.length == 0x01_02_03)
        #expect(bytes.read(5) == nil && bytes.read(4) == [0, 1, 2, 3] && bytes.isEmpty)
        #expect(FrameBytes.header(0x01_02_03) == [0, 1, 2, 3])
    }
}
