import Dispatch
import Glibc
import Synchronization

/// Syncs a partial on threads that may wait for the disk, and remembers whether that has ever failed.
final class SegmentDisk: Sendable {
    private let firstError = Mutex<Int32>(0)
    private let group = DispatchGroup()
    private static let queue = DispatchQueue(
        label: "facefetch.segments",
        qos: .utility,
        attributes: .concurrent
    )

    /// Syncs a file's data, then calls `done` with the errno, 0 for success.
    func sync(_ file: OpenFile, done: @escaping @Sendable (Int32) -> Void) {
        Self.queue.async(group: group) { [self] in
            let number = fdatasync(file.descriptor) == 0 ? 0 : errno
            let result = firstError.withLock { error in
                if error == 0 { error = number }
                return error
            }
            done(result)
        }
    }

    /// Waits for all syncs; returns the first errno, 0 for none, nil if it took too long.
    func wait(until deadline: DispatchTime) -> Int32? {
        group.wait(timeout: deadline) == .success ? firstError.withLock { $0 } : nil
    }
}
