import Glibc
import JobModel
import SmallFiles

/// The directory in which pictures are kept, with a directory in it for each two first digits.
///
/// It may be removed while it is used.
struct PictureFolder: Sendable {
    /// A file in one of the directories.
    typealias Name = (directory: String, file: String)

    let path: String

    /// The interval after which a picture's use is noted again, in seconds.
    private static let useInterval: Int64 = 24 * 3600
    /// The age in seconds from which an unfinished file is one that nobody finishes.
    private static let oldestUnfinished: Int64 = 3600
    private static let unfinished = ".unfinished-"

    // MARK: Reading and writing

    /// Returns the contents of a file, and notes that it was used; nil if there is none, or if it is
    /// anything but a file of this user's.
    func read(_ name: Name, atMost limit: Int) -> [UInt8]? {
        let place = "\(path)/\(name.directory)/\(name.file)"
        var status = stat()
        guard let file = try? OpenedFile(place, [.isRegular, .isNoLink]),
            fstat(file.descriptor, &status) == 0, status.st_uid == geteuid(),
            (1...limit).contains(Int(status.st_size)), let contents = try? file.bytes(atMost: limit),
            contents.count == Int(status.st_size)
        else { return nil }
        if Int64(time(nil)) - Int64(status.st_mtim.tv_sec) >= Self.useInterval {
            futimens(file.descriptor, nil)
        }
        return contents
    }

    /// Writes a file under another name and renames it; returns whether it is there.
    ///
    /// Nothing is written if less than `reserve` bytes would be left on the disk.
    func write(_ contents: [UInt8], to name: Name, leaving reserve: Int64) -> Bool {
        let directory = "\(path)/\(name.directory)"
        guard make(directory), hasRoom(for: contents.count, leaving: reserve) else { return false }
        let temporary = "\(directory)/\(Self.unfinished)\(UInt64.random(in: 0...UInt64.max))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        // Not synced: a picture that a power cut takes is made again.
        let isWhole = (try? WholeFile.write(contents, to: descriptor)) != nil
        close(descriptor)
        guard isWhole, rename(temporary, "\(directory)/\(name.file)") == 0 else {
            unlink(temporary)
            return false
        }
        return true
    }

    /// Removes a file; returns its length, or 0 if there is none.
    @discardableResult
    func remove(_ name: Name) -> Int64 {
        let file = "\(path)/\(name.directory)/\(name.file)"
        var status = stat()
        guard lstat(file, &status) == 0, unlink(file) == 0 else { return 0 }
        return Int64(status.st_size)
    }

    /// Removes a picture.
    func remove(_ picture: PictureBudget.Kept) { remove((String(picture.name.prefix(2)), picture.name)) }

    // MARK: Content

    /// Returns all pictures, and removes what was never finished.
    ///
    /// Files with other names are nobody's business here.
    func list() -> [PictureBudget.Kept] {
        let now = Int64(time(nil))
        return entries(of: path).filter { $0.utf8.count == 2 }.flatMap { directory in
            entries(of: "\(path)/\(directory)").compactMap { file in
                var status = stat()
                let place = "\(path)/\(directory)/\(file)"
                guard lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
                let used = Int64(status.st_mtim.tv_sec)
                if file.hasPrefix(Self.unfinished), now - used >= Self.oldestUnfinished { unlink(place) }
                guard file.hasPrefix(directory), let isThumb = PictureFile.isThumb(file) else { return nil }
                return PictureBudget.Kept(
                    name: file,
                    isThumb: isThumb,
                    used: used,
                    length: Int64(status.st_size)
                )
            }
        }
    }

    private func entries(of path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return (try? WholeFolder.names(descriptor)) ?? []
    }

    // MARK: Room

    /// Makes a directory and its missing parents, for nobody else; returns whether it is there.
    private func make(_ directory: String) -> Bool {
        if mkdir(directory, 0o700) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT else { return false }
        var made = ""
        for part in directory.split(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { return false }
        }
        return true
    }

    private func hasRoom(for length: Int, leaving reserve: Int64) -> Bool {
        var room = statvfs()
        guard statvfs(path, &room) == 0 else { return false }
        let (free, overflow) = Int64(clamping: room.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: room.f_frsize)
        )
        return overflow || free - Int64(length) >= reserve
    }
}
