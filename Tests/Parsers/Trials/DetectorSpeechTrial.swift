import DetectorProtocol
import JobModel

@testable import Children

/// A trial of what a detector writes with thumbnails behind its answers; if the first byte is even, of what a
/// picture process writes, or one that makes copies.
enum DetectorSpeechTrial {
    private static let request = PictureRequest(id: 7, path: "/a.jpg", side: 100, quality: 80, limit: 1000)

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let first = bytes.first else { return nil }
        let rest = bytes.dropFirst()
        let pieces = Pieces(of: rest, length: Int(first) / 2 + 1)
        if first & 1 == 0 {
            let copies = copies(of: rest)
            let outcomes = outcomes(of: [rest])
            try promise(
                outcomes == Self.outcomes(of: pieces.all),
                "in pieces of \(pieces.length) it has other pictures"
            )
            for case .made(let jpeg) in outcomes { try check(jpeg, limit: request.limit) }
            return outcomes.lazy.compactMap(text).first ?? copies.first?.file
        }
        let messages = messages(of: [rest])
        try promise(
            messages == Self.messages(of: pieces.all),
            "in pieces of \(pieces.length) it says something else"
        )
        for case .answer(let answer, let thumbnail) in messages {
            try promise(answer.thumbnailLength == thumbnail?.count, "a thumbnail has another length")
            if let thumbnail { try check(thumbnail, limit: PictureSize.thumb.limit) }
        }
        return messages.lazy.compactMap(text).first
    }

    private static func check(_ jpeg: [UInt8], limit: Int) throws(BrokenPromise) {
        try promise(jpeg.count <= limit, "a picture has \(jpeg.count) bytes")
        try promise(
            jpeg.starts(with: [0xFF, 0xD8, 0xFF]) && jpeg.suffix(2) == [0xFF, 0xD9],
            "what goes to browsers is no JPEG"
        )
    }

    private static func text(_ outcome: PictureMaker.Outcome) -> String? {
        if case .made(let jpeg) = outcome { String(decoding: jpeg.dropFirst(3), as: UTF8.self) } else { nil }
    }

    private static func text(_ message: DetectorSpeech.Message) -> String? {
        switch message {
        case .greeting(let greeting): greeting.engines.first?.name
        case .answer(_, let thumbnail): thumbnail.map { String(decoding: $0.dropFirst(3), as: UTF8.self) }
        }
    }

    /// A greeting, and then answers, until it says something that no detector says.
    private static func messages(of pieces: [ArraySlice<UInt8>]) -> [DetectorSpeech.Message] {
        var speech = DetectorSpeech()
        var messages: [DetectorSpeech.Message] = []
        for piece in pieces {
            speech.append(piece)
            do {
                while let message = try speech.next() { messages.append(message) }
            } catch {
                return messages
            }
        }
        return messages
    }

    /// What a picture process says behind its greeting, where each answer is followed by the same request.
    private static func outcomes(of pieces: [ArraySlice<UInt8>]) -> [PictureMaker.Outcome] {
        var speech = PictureSpeech()
        var outcomes: [PictureMaker.Outcome] = []
        do {
            speech.append(try DetectorFrame.encode(DetectorGreeting(engines: [])))
            guard case .greeting = try speech.next() else { return [] }
            speech.expect(request)
            for piece in pieces {
                speech.append(piece)
                while case .answer(let outcome)? = try speech.next() {
                    outcomes.append(outcome)
                    speech.expect(request)
                }
            }
        } catch {
            // It can't be believed any more.
        }
        return outcomes
    }

    private static func copies(of bytes: ArraySlice<UInt8>) -> [CopyResponse] {
        var decoder = FrameDecoder()
        decoder.append(bytes)
        var answers: [CopyResponse] = []
        while let answer = try? decoder.next(CopyResponse.self) { answers.append(answer) }
        return answers
    }
}
