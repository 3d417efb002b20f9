import Glibc

/// A file that is open for reading, and is closed with this.
public struct OpenedFile: ~Copyable {
    /// What a file has to be for it to be read.
    public struct Conditions: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A regular file: a FIFO would be waited for, and a device may have no end.
        public static let isRegular = Conditions(rawValue: 1)
        /// No symbolic link.
        public static let isNoLink = Conditions(rawValue: 2)
    }

    /// The open file.
    public let descriptor: Int32
    /// The file's mode and type.
    public let mode: mode_t

    /// Opens a file.
    public init(_ path: String, _ conditions: Conditions = []) throws(FileFailure) {
        var flags = O_RDONLY | O_CLOEXEC
        if conditions.contains(.isRegular) { flags |= O_NONBLOCK }
        if conditions.contains(.isNoLink) { flags |= O_NOFOLLOW }
        let descriptor = open(path, flags)
        guard descriptor >= 0 else { throw .system(errno) }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let isRegular = isKnown && status.st_mode & S_IFMT == S_IFREG
        guard isKnown, isRegular || !conditions.contains(.isRegular) else {
            close(descriptor)
            throw .notRegular
        }
        self.descriptor = descriptor
        mode = status.st_mode
    }

    deinit { close(descriptor) }

    /// Returns all bytes from where the file stands on.
    ///
    /// - Throws: ``FileFailure``, also where there are more than `limit`.
    public func bytes(atMost limit: Int) throws(FileFailure) -> [UInt8] {
        var pieces = Pieces(descriptor)
        var bytes: [UInt8] = []
        while let piece = try pieces.next() {
            bytes += piece
            guard bytes.count <= limit else { throw .tooLong(limit) }
        }
        return bytes
    }
}

/// What is read or written as a whole, however many calls that takes.
public enum WholeFile {
    /// Returns a file's bytes.
    ///
    /// - Throws: ``FileFailure``, also where there are more than `limit`.
    public static func bytes(
        _ path: String,
        atMost limit: Int,
        _ conditions: OpenedFile.Conditions = []
    ) throws(FileFailure) -> [UInt8] {
        try OpenedFile(path, conditions).bytes(atMost: limit)
    }

    /// Writes all bytes to an open file, from where it stands on, in as many writes as that takes.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileFailure) {
        try write(bytes[...], to: descriptor)
    }

    /// Writes all bytes to an open file, from where it stands on, in as many writes as that takes.
    public static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(FileFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // A file system that takes nothing, and gives no reason, would be asked for ever.
            guard count > 0 else { throw .system(count < 0 ? errno : EIO) }
            rest = rest.dropFirst(count)
        }
    }
}

/// A folder as a whole.
public enum WholeFolder {
    /// Returns the names in a folder, in no order, without those of itself and of the folder above it.
    ///
    /// - Throws: ``FileFailure`` if it can't be opened.
    public static func names(_ path: String) throws(FileFailure) -> [String] {
        guard let stream = opendir(path) else { throw .system(errno) }
        return names(stream)
    }

    /// Returns the names in an open folder: all of them, also where some were read through the descriptor already.
    ///
    /// - Throws: ``FileFailure`` if it can't be opened once more.
    public static func names(_ descriptor: Int32) throws(FileFailure) -> [String] {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw .system(errno) }
        guard let stream = fdopendir(own) else {
            let number = errno
            close(own)
            throw .system(number)
        }
        return names(stream)
    }

    /// Reads the names, and closes the stream.
    private static func names(_ stream: OpaquePointer) -> [String] {
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// What is left to read of an open file, in pieces.
public struct Pieces {
    private let descriptor: Int32
    private var buffer: [UInt8]

    /// The rest of a file, in pieces of at most so many bytes.
    public init(_ descriptor: Int32, ofAtMost size: Int = 1 << 16) {
        self.descriptor = descriptor
        buffer = [UInt8](repeating: 0, count: size)
    }

    /// The next piece; nil at the end.
    public mutating func next() throws(FileFailure) -> ArraySlice<UInt8>? {
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { return buffer[..<count] }
            if count == 0 { return nil }
            guard errno == EINTR else { throw .system(errno) }
        }
    }
}
