import FaceDetection
import Glibc

/// The work of a process that decodes one picture.
enum DecoderProcess {
    /// Sets up libvips in the process that decoders are forked from.
    static func prepare(orFail fail: (String) -> Never) {
        if let failure = VipsLibrary.failure { fail("libvips can't be used: \(failure)") }
    }

    /// What a process is to make, as one number: the working size, and whether people look at it.
    static func order(_ workingSize: Int, isShown: Bool) -> UInt32 {
        UInt32(workingSize) | (isShown ? shown : 0)
    }

    private static let shown: UInt32 = 1 << 31

    /// Decodes `input`, writes the result to `output`, and returns the exit status.
    static let body: @convention(c) (UnsafeRawPointer?, Int32, Int32, UInt32) -> Int32 = {
        _,
        input,
        output,
        order in
        let isTold: Bool
        do throws(UnreadablePicture) {
            let picture = try PictureDecoder().decode(
                descriptor: input,
                workingSize: Int(order & ~shown),
                isShown: order & shown != 0
            )
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
