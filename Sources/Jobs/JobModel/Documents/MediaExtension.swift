/// The extensions that files of a media type usually have.
enum MediaExtension {
    /// The extensions by media type: those that the IANA registry of media types names, or else the most
    /// common.
    ///
    /// `application/octet-stream` says nothing, so it has none.
    private static let table: [String: String] = [
        "application/pdf": "pdf",
        "application/postscript": "ps",
        "image/apng": "apng",
        "image/avif": "avif",
        "image/bmp": "bmp",
        "image/fits": "fits",
        "image/gif": "gif",
        "image/heic": "heic",
        "image/heif": "heif",
        "image/jp2": "jp2",
        "image/jpeg": "jpg",
        "image/jpg": "jpg",
        "image/jpx": "jpx",
        "image/jxl": "jxl",
        "image/pjpeg": "jpg",
        "image/png": "png",
        "image/qoi": "qoi",
        "image/svg+xml": "svg",
        "image/tiff": "tif",
        "image/vnd.adobe.photoshop": "psd",
        "image/vnd.microsoft.icon": "ico",
        "image/vnd.radiance": "hdr",
        "image/webp": "webp",
        "image/x-adobe-dng": "dng",
        "image/x-bmp": "bmp",
        "image/x-exr": "exr",
        "image/x-icon": "ico",
        "image/x-ms-bmp": "bmp",
        "image/x-png": "png",
        "image/x-portable-bitmap": "pbm",
        "image/x-portable-graymap": "pgm",
        "image/x-portable-pixmap": "ppm",
        "image/x-tga": "tga",
    ]

    /// Returns the extension, without its dot, for a Content-Type field (RFC 9110 §8.3); nil if the type
    /// has none that is usual.
    static func usual(for contentType: String) -> String? { table[contentType.mediaType] }
}

extension String {
    /// The media type of a Content-Type field in lower case, without its parameters.
    public var mediaType: String { prefix { $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }.lowercased() }
}
