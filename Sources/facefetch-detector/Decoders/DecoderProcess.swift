import FaceDetection
import Glibc

/// A process that decodes one picture.
enum DecoderProcess {
    /// Makes libvips ready, in the process that the others are copies of.
    static func prepare(orFail fail: (String) -> Never) {
        if let failure = VipsLibrary.failure { fail("libvips can't be used: \(failure)") }
    }

    /// Decodes `input`, says what came of it to `output`, and gives back the exit status.
    static let body: @convention(c) (UnsafeRawPointer?, Int32, Int32, UInt32) -> Int32 = {
        _,
        input,
        output,
        workingSize in
        let isTold: Bool
        do throws(UnreadablePicture) {
            let picture = try PictureDecoder().decode(descriptor: input, workingSize: Int(workingSize))
            isTold = tell(picture.header, picture.pixels, to: output)
        } catch {
            let reason = Array(error.description.utf8.prefix(PictureHeader.longestReason))
            isTold = tell(.reason(length: reason.count), reason, to: output)
        }
        return isTold ? 0 : 1
    }

    private static func tell(_ header: PictureHeader, _ body: [UInt8], to output: Int32) -> Bool {
        StandardStreams.write(header.bytes, to: output) && StandardStreams.write(body, to: output)
    }
}
