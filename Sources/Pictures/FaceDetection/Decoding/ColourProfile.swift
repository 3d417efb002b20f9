import CPictures

/// The colour profile of a picture whose values don't mean sRGB.
///
/// It comes from a stranger, so it is looked at only where the picture is decoded.
struct ColourProfile {
    /// The longest profile in bytes; what cameras and printers have is a tenth of that.
    private static let longest = 4 << 20
    /// The name that nearly every profile of sRGB itself has.
    private static let plain = "sRGB IEC61966-2.1"

    private let bytes: [UInt8]

    /// Creates a profile whose header makes sense.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns a picture's profile; nil if it has none, one for inks or greys, which libvips has applied, or
    /// one of sRGB.
    init?(of picture: borrowing VipsImageBox) {
        var data: UnsafeRawPointer?
        var length = 0
        guard vips_image_get_typeof(picture.image, VIPS_META_ICC_NAME) != 0,
            vips_image_get_blob(picture.image, VIPS_META_ICC_NAME, &data, &length) == 0, let data,
            // Its header (ICC.1:2022, 7.2): the space of the values, and a signature.
            (128...Self.longest).contains(length)
        else { return nil }
        let bytes = Array(UnsafeRawBufferPointer(start: data, count: length))
        guard bytes[16..<20].elementsEqual("RGB ".utf8), bytes[36..<40].elementsEqual("acsp".utf8) else {
            return nil
        }
        let start = bytes.prefix(8192)
        // Its description is in ASCII, or in UTF-16.
        let plain = Array(Self.plain.utf8)
        let wide: [UInt8] = plain.flatMap { [UInt8(0), $0] }
        guard start.firstRange(of: plain) == nil, start.firstRange(of: wide) == nil else { return nil }
        self.init(bytes)
    }

    /// Returns a picture in the colours that it means by the pixels, in sRGB; as it is if it makes no sense.
    func applied(to picture: Picture) -> Picture {
        guard let profile = MatrixProfile(bytes) else { return appliedByLibrary(to: picture) }
        return Picture(pixels: profile.converted(picture.pixels), of: picture)
    }

    /// Returns the same as Little CMS has it, whatever the profile consists of.
    func appliedByLibrary(to picture: Picture) -> Picture {
        do throws(UnreadablePicture) {
            let marked = try VipsImageBox.holding(picture)
            bytes.withUnsafeBytes { bytes in
                vips_image_set_blob_copy(marked.image, VIPS_META_ICC_NAME, bytes.baseAddress, bytes.count)
            }
            let meant = try marked.applying { CVips_apply_profile($0, $1) }
            let colours = try meant.pixels()
            return colours.count == picture.pixels.count ? Picture(pixels: colours, of: picture) : picture
        } catch {
            return picture
        }
    }
}
