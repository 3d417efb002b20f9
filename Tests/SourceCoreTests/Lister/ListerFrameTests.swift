import SourceCore
import Testing
import Vocabulary

@Suite struct ListerFrameTests {
    @Test("Frames come back as they were sent, however the bytes are cut", arguments: [1, 3, 12, 13, 1000])
    func pieces(_ piece: Int) throws {
        let frames = [
            try ListerFrame(.program, ListerProgram(kind: "json")),
            try ListerFrame(.request, id: .max, ListerRequest(id: .max, path: "/a\n\u{1F600}", url: "u")),
            ListerFrame(.items, id: 7, body: Array("[]".utf8)),
        ]
        let bytes = frames.flatMap(\.bytes)
        var reader = ListerFrameReader()
        var received: [ListerFrame] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            reader.append(bytes[start..<min(start + piece, bytes.count)])
            while let frame = try reader.next() { received.append(frame) }
        }
        #expect(received == frames)
        #expect(reader.isBetweenFrames)
        #expect(try received[1].decode(ListerRequest.self).path == "/a\n\u{1F600}")
    }

    @Test("A length that no message has, and a kind that there isn't, are refused before they are read")
    func refused() {
        var long = ListerFrameReader()
        long.append([0, 0x10, 0, 1, 0x49] + [UInt8](repeating: 0, count: 8))
        #expect(throws: FrameError.length(1 << 20 | 1)) { try long.next() }
        var short = ListerFrameReader()
        short.append([0, 0, 0, 8, 0x49] + [UInt8](repeating: 0, count: 8))
        #expect(throws: FrameError.length(8)) { try short.next() }
        var kind = ListerFrameReader()
        kind.append([0, 0, 0, 9, 0x2A] + [UInt8](repeating: 0, count: 8))
        #expect(throws: FrameError.kind(0x2A)) { try kind.next() }
    }

    @Test("An item that is written by hand is read as it was")
    func item() throws {
        var item = ListedItem(url: "a\"\\\u{7F}\u{1}é\u{1F600}\n", key: "")
        item.name = "n"
        item.meta = "{\"a\":1}"
        item.priority = -5
        item.wanted = false
        item.variables = ["b": "2", "a": "\t"]
        var json: [UInt8] = []
        item.write(into: &json)
        let frame = ListerFrame(.items, body: [0x5B] + json + [0x5D])
        #expect(try frame.decode([ListedItem].self) == [item])
    }
}
