import DetectorProtocol
import Testing
import Vocabulary

@Suite struct FrameDecoderTests {
    private let requests = [
        DetectorRequest(id: 1, path: "/a/b.jpg"),
        DetectorRequest(id: .max, path: "/Flémalle (331318)\n\u{1F600}.jpg", engine: "yunet"),
    ]

    @Test("Messages come back as they were sent, in order, however the bytes are cut")
    func pieces() throws {
        let bytes = try requests.flatMap { try DetectorFrame.encode($0) }
        for piece in [1, 3, 7, bytes.count] {
            var decoder = FrameDecoder()
            var received: [DetectorRequest] = []
            for start in stride(from: 0, to: bytes.count, by: piece) {
                decoder.append(bytes[start..<min(start + piece, bytes.count)])
                while let message = try decoder.next(DetectorRequest.self) { received.append(message) }
            }
            #expect(received == requests)
            #expect(decoder.isBetweenMessages)
        }
    }

    @Test("A response keeps every field")
    func response() throws {
        let response = DetectorResponse(
            id: 7,
            outcome: .counted,
            faces: [.init(x: 1, y: 2, width: 3, height: 4, confidence: 0.5)],
            width: 640,
            height: 480,
            orientation: 8,
            format: "tiff",
            engine: "haar",
            parameters: "size=960",
            seconds: 0.25,
            message: "a note"
        )
        var decoder = FrameDecoder()
        decoder.append(try DetectorFrame.encode(response))
        #expect(try decoder.next(DetectorResponse.self) == response)
    }

    @Test("The largest answer, 4,096 faces of a gigapixel, fits into a frame")
    func largest() throws {
        let face = Face(
            x: 999_999,
            y: 999_999,
            width: 999_999,
            height: 999_999,
            confidence: 123.456_789_012_345_6
        )
        let response = DetectorResponse(
            id: .max,
            outcome: .counted,
            faces: Array(repeating: face, count: 4096),
            width: 1,
            height: 1,
            engine: "haar",
            parameters: "",
            seconds: 1
        )
        #expect(try DetectorFrame.encode(response).count < DetectorFrame.maximumLength)
    }

    @Test("A message that announces more than the limit is refused before it is read")
    func oversize() {
        var decoder = FrameDecoder()
        decoder.append([0, 0x10, 0, 1])
        #expect(throws: FrameError.length(1 << 20 | 1)) { try decoder.next(DetectorRequest.self) }
        #expect(throws: FrameError.length(1 << 20 | 1)) { try decoder.next(DetectorRequest.self) }
    }

    @Test("A message longer than the limit isn't sent")
    func oversizeSent() {
        let request = DetectorRequest(id: 1, path: String(repeating: "a", count: 1 << 20))
        #expect(throws: FrameError.self) { try DetectorFrame.encode(request) }
    }

    @Test("Bytes that are no message of the kind are garbage", arguments: ["", "{", "[]", "{\"id\":\"x\"}"])
    func garbage(_ text: String) throws {
        var decoder = FrameDecoder()
        decoder.append([0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8))
        do {
            _ = try decoder.next(DetectorRequest.self)
            Issue.record("\(text) was taken for a message")
        } catch FrameError.garbage {
        }
    }

    @Test("Half a message is no message, and the pipe must not end there")
    func half() throws {
        var decoder = FrameDecoder()
        decoder.append(try DetectorFrame.encode(requests[0]).dropLast())
        #expect(try decoder.next(DetectorRequest.self) == nil)
        #expect(!decoder.isBetweenMessages)
    }
}
